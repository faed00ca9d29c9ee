package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Verdict.CauseSummary;

/**
 * Stalls of one server that belong together in time, with those of the servers that waited for it
 * meanwhile. Immutable.
 *
 * @param server the server that stalled
 * @param startNanos the start of its first stall, in nanoseconds since the Unix epoch
 * @param endNanos the end of its last stall
 * @param stalledNanos the length of its stalls in all, which is at most that of the episode
 * @param peakLoad the most requests that the server held at once
 * @param stalls its stalls in order of time, as places, from 0, in the server's list of stalls
 * @param hostSilentStalls how many of them found the server's host or network silent
 * @param waitedFor the server it waited for in all of them, which is not known to have stalled
 *     itself; null where it stood still or where that cannot be told
 * @param likely the events that overlap its stalls more than chance would, the most frequent first
 * @param possible other events that overlap its stalls, the most frequent first
 * @param waiters the servers that waited for it meanwhile, directly or through one another
 * @param packets the way to its packets; null beyond the first hundred episodes, and in files that
 *     are older than this field
 */
public record StallEpisode(
    String server,
    long startNanos,
    long endNanos,
    long stalledNanos,
    double peakLoad,
    List<Integer> stalls,
    int hostSilentStalls,
    @Nullable String waitedFor,
    List<CauseSummary> likely,
    List<CauseSummary> possible,
    List<Waiter> waiters,
    @Nullable StallPackets packets) {

  /** Copies the lists. */
  public StallEpisode {
    stalls = List.copyOf(stalls);
    likely = List.copyOf(likely);
    possible = List.copyOf(possible);
    waiters = List.copyOf(waiters);
  }

  /** An episode whose packets are not told. */
  public StallEpisode(
      String server,
      long startNanos,
      long endNanos,
      long stalledNanos,
      double peakLoad,
      List<Integer> stalls,
      int hostSilentStalls,
      @Nullable String waitedFor,
      List<CauseSummary> likely,
      List<CauseSummary> possible,
      List<Waiter> waiters) {
    this(
        server,
        startNanos,
        endNanos,
        stalledNanos,
        peakLoad,
        stalls,
        hostSilentStalls,
        waitedFor,
        likely,
        possible,
        waiters,
        null);
  }

  /** The same episode with the way to its packets. */
  public StallEpisode withPackets(StallPackets known) {
    return new StallEpisode(
        server,
        startNanos,
        endNanos,
        stalledNanos,
        peakLoad,
        stalls,
        hostSilentStalls,
        waitedFor,
        likely,
        possible,
        waiters,
        known);
  }

  /**
   * A server that waited during an episode.
   *
   * @param server its name
   * @param waits how often it waited so long that it answered nothing
   * @param waitedNanos how long in all
   */
  public record Waiter(String server, int waits, long waitedNanos) {}
}
