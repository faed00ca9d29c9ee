package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch in which a server was congested, whether it stood still in it or not. Immutable.
 *
 * @param startNanos its start, in nanoseconds since the Unix epoch, to the window
 * @param endNanos its end
 * @param kind in which way it was congested
 * @param peakLoad the highest load of its windows
 * @param ofUsual the work done in it as a part of what is usual at its load
 * @param unexplainedShare the part of its duration that no significant cause overlaps, 0 to 1
 * @param causes the events that overlap it, as those of a stall
 * @param waitedFor the server that it only waited for; null where its own requests waited for it,
 *     and in files that are older than this field
 */
public record CongestionEpisode(
    long startNanos,
    long endNanos,
    Kind kind,
    double peakLoad,
    double ofUsual,
    double unexplainedShare,
    List<Findings.Cause> causes,
    @Nullable String waitedFor) {

  /** Copies the causes. */
  public CongestionEpisode {
    causes = List.copyOf(causes);
  }

  /** Whether it is one of a kind in which the server was held up by no other. */
  public boolean isOwn(Kind of) {
    return kind == of && waitedFor == null;
  }

  /** The length in milliseconds. */
  public double lengthMillis() {
    return (endNanos - startNanos) / 1e6;
  }

  /** A way of being congested. In files it is the word that {@link #toString} gives. */
  public enum Kind {
    /** Load was beyond N*: throughput grows no more, requests only wait. */
    BEYOND("beyond-congestion-point"),
    /** Throughput was below what is usual at that load. */
    SLOW("slow");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The word of the file format. */
    @Override
    public String toString() {
      return word;
    }
  }
}
