package org.terrace.details;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.observation.Outcome;

/**
 * The response times of one server's requests as they are counted, by their class. A bin is at most
 * 1/{@value #STEPS} wider than its lower end. Takes some hundred bytes of memory a class. Confined
 * to one thread.
 */
public final class ResponseTally {
  /** Classes of one server that have an entry of their own. */
  static final int CLASSES_MAX = 100;

  /** Bins from one power of two microseconds to the next; a power of two itself. */
  static final int STEPS = 8;

  private static final int STEP_BITS = Integer.numberOfTrailingZeros(STEPS);
  private static final long NANOS_PER_MICRO = 1_000;

  private final Map<String, Responses> responses = new HashMap<>();
  private final long startNanos;
  private final long endNanos;

  /** The requests of one class. */
  private static final class Responses {
    private long[] bins = new long[0];
    private long count;
    private long errors;

    void add(long nanos, Outcome outcome) {
      count++;
      errors += outcome == Outcome.ERROR || outcome == Outcome.ABORTED ? 1 : 0;
      if (outcome == Outcome.OK || outcome == Outcome.ERROR) {
        int bin = bin(nanos);
        bins = bin < bins.length ? bins : Arrays.copyOf(bins, bin + 1);
        bins[bin]++;
      }
    }

    void add(Responses other) {
      count += other.count;
      errors += other.errors;
      bins = Arrays.copyOf(bins, Math.max(bins.length, other.bins.length));
      for (int bin = 0; bin < other.bins.length; bin++) {
        bins[bin] += other.bins[bin];
      }
    }

    ClassResponses named(String server, @Nullable String requestClass) {
      List<Long> boundaries = new ArrayList<>();
      List<Long> counts = new ArrayList<>();
      long last = 0;
      for (int bin = 0; bin < bins.length; bin++) {
        if (bins[bin] > 0) {
          long from = bin == 0 ? 0 : upperEnd(bin - 1);
          if (from > last) {
            boundaries.add(from);
            counts.add(0L);
          }
          last = upperEnd(bin);
          boundaries.add(last);
          counts.add(bins[bin]);
        }
      }
      counts.add(0L);
      return new ClassResponses(server, requestClass, count, errors, boundaries, counts);
    }
  }

  /** Counts requests that end in {@code [startNanos, endNanos)}, since the Unix epoch. */
  public ResponseTally(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  /**
   * Counts a request, if it ended in time.
   *
   * @param fromNanos the moment from which its time counts
   */
  public void add(String requestClass, long fromNanos, long departureNanos, Outcome outcome) {
    if (outcome != Outcome.UNFINISHED
        && departureNanos >= startNanos
        && departureNanos < endNanos) {
      responses
          .computeIfAbsent(requestClass, each -> new Responses())
          .add(departureNanos - fromNanos, outcome);
    }
  }

  /** The number of the bin of a time, which is rounded up to microseconds. */
  private static int bin(long nanos) {
    long below = Math.max(1, Math.ceilDiv(nanos, NANOS_PER_MICRO)) - 1;
    if (below < STEPS) {
      return (int) below;
    }
    int shift = Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(below);
    return shift * STEPS + (int) (below >> shift);
  }

  /** The upper end of a bin in microseconds. */
  private static long upperEnd(int bin) {
    int shift = Math.max(0, bin / STEPS - 1);
    return (bin - (long) shift * STEPS + 1) << shift;
  }

  /** The classes of the server, those with most requests first, and the rest as one. */
  public List<ClassResponses> classes(String server) {
    List<Map.Entry<String, Responses>> sorted =
        responses.entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<String, Responses> each) -> each.getValue().count)
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .toList();
    List<ClassResponses> classes = new ArrayList<>();
    Responses rest = new Responses();
    for (Map.Entry<String, Responses> each : sorted) {
      if (classes.size() < CLASSES_MAX) {
        classes.add(each.getValue().named(server, each.getKey()));
      } else {
        rest.add(each.getValue());
      }
    }
    if (rest.count > 0) {
      classes.add(rest.named(server, null));
    }
    return classes;
  }
}
