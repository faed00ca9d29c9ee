package org.terrace.seven;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.terrace.core.Percentiles;

/**
 * The outcome of a run of clients. Times of the whole run are nanoseconds since the Unix epoch.
 *
 * @param application its name
 * @param clients how many
 * @param thinkMicros how long each waited after a reply
 * @param replyBytes the size of replies that was asked for; 0: their own
 * @param seed of the workloads
 * @param calls how many were measured
 * @param replied how many got a result
 * @param refused how many were refused by the rules, by code
 * @param notExecuted how many failed without an effect
 * @param unknown how many failed and may have had an effect
 * @param broken how many ended in any other error
 * @param methods how often each method was called
 * @param fromNanos when measuring began
 * @param toNanos when the last reply was there
 * @param latencyMicros over the measured calls
 * @param metFaults how many measured calls met a fault and were sent more than once
 * @param probesDropped calls whose probes found no room
 * @param clientNumbers the clients' numbers in hexadecimal, as in the probes
 */
record RunSummary(
    String application,
    int clients,
    long thinkMicros,
    int replyBytes,
    long seed,
    int calls,
    int replied,
    Map<String, Integer> refused,
    int notExecuted,
    int unknown,
    int broken,
    Map<String, Integer> methods,
    long fromNanos,
    long toNanos,
    Latency latencyMicros,
    int metFaults,
    long probesDropped,
    List<String> clientNumbers) {

  /** Whether every call came to a reply. */
  boolean isWhole() {
    return notExecuted + unknown + broken == 0;
  }

  /**
   * Latencies in microseconds; percentiles are order statistics (nearest rank).
   *
   * @param mean the arithmetic mean
   * @param p50 half were no longer
   * @param p99 99 of 100 were no longer
   * @param max the longest
   */
  record Latency(double mean, double p50, double p99, double max) {
    private static final double NANOS_OF_A_MICRO = 1_000;

    static Latency of(long[] nanos) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return new Latency(
          Arrays.stream(sorted).average().orElse(0) / NANOS_OF_A_MICRO,
          rank(sorted, 0.5),
          rank(sorted, 0.99),
          rank(sorted, 1));
    }

    private static double rank(long[] sorted, double share) {
      return sorted.length == 0 ? 0 : Percentiles.ofSorted(sorted, share * 100) / NANOS_OF_A_MICRO;
    }
  }
}
