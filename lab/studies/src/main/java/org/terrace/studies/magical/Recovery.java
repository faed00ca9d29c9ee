package org.terrace.studies.magical;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.terrace.studies.probes.ProbeRows;
import org.terrace.studies.services.FaultedCall;

/**
 * The cost of crashes of the primary to the client that was calling.
 *
 * @param planned how many crashes were to happen
 * @param kills when each happened, in nanoseconds since the Unix epoch
 * @param delaysNanos for each crash, the longest of the calls that it met
 * @param calls the parts of the calls that took more than one attempt
 * @param unanswered calls that came to no reply
 */
record Recovery(
    int planned,
    List<Long> kills,
    List<Long> delaysNanos,
    List<FaultedCall> calls,
    int unanswered) {

  /**
   * The call under way at a crash, or the next ones: a reply may be on its way already, and the
   * client may be thinking. Later calls are slow for other reasons, such as the start of a replica.
   */
  private static final int CALLS_AT_A_KILL = 3;

  Recovery {
    kills = List.copyOf(kills);
    delaysNanos = List.copyOf(delaysNanos);
    calls = List.copyOf(calls);
  }

  static Recovery of(
      int planned, List<Long> kills, ProbeRows client, List<FaultedCall> calls, int unanswered) {
    List<Long> delays = kills.stream().map(kill -> longest(client, kill)).toList();
    return new Recovery(planned, kills, delays, calls, unanswered);
  }

  private static long longest(ProbeRows client, long killNanos) {
    long longest = 0;
    int met = 0;
    for (int row = 0; row < client.size() && met < CALLS_AT_A_KILL; row++) {
      if (client.endNanos()[row] >= killNanos) {
        longest = Math.max(longest, client.endNanos()[row] - client.startNanos()[row]);
        met++;
      }
    }
    return longest;
  }

  double meanMillis() {
    return delaysNanos.stream().mapToLong(Long::longValue).average().orElse(0) / 1e6;
  }

  double leastMillis() {
    return delaysNanos.stream().mapToLong(Long::longValue).min().orElse(0) / 1e6;
  }

  double largestMillis() {
    return delaysNanos.stream().mapToLong(Long::longValue).max().orElse(0) / 1e6;
  }

  /** The mean of a part of the logged calls, in milliseconds; empty where none was logged. */
  private OptionalDouble part(ToDoubleFunction<FaultedCall> nanos) {
    return calls.stream().mapToDouble(call -> nanos.applyAsDouble(call) / 1e6).average();
  }

  OptionalDouble detectionMillis() {
    return part(FaultedCall::detectNanos);
  }

  /** All from the notice of the fault to the new primary that is called. */
  OptionalDouble failOverMillis() {
    return part(call ->
        (double) call.namingNanos()
            + call.waitNanos()
            + call.connectNanos()
            + call.restoreNanos()
            + call.otherNanos());
  }

  OptionalDouble processingMillis() {
    return part(FaultedCall::replyNanos);
  }

  /** The three parts. */
  double[] partsMillis() {
    return new double[] {
      detectionMillis().orElse(0), failOverMillis().orElse(0), processingMillis().orElse(0)
    };
  }

  /** Whether detection is the largest of the parts. */
  boolean isDetectionLargest() {
    double[] parts = partsMillis();
    return parts[0] >= Arrays.stream(parts).max().orElse(0);
  }
}
