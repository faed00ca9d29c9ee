package org.terrace.experiment.study.magical;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.terrace.analysis.tail.ProbeRows;
import org.terrace.experiment.study.services.FaultedCall;

/**
 * What crashes of the primary cost the client that was calling.
 *
 * @param planned how many crashes were to happen
 * @param kills when each happened, in nanoseconds since the Unix epoch
 * @param delaysNanos for each crash, the latency of the call that it delayed most
 * @param calls the parts of the calls that took more than one attempt
 * @param unanswered calls that came to no reply
 */
record Recovery(
    int planned,
    List<Long> kills,
    List<Long> delaysNanos,
    List<FaultedCall> calls,
    int unanswered) {

  Recovery {
    kills = List.copyOf(kills);
    delaysNanos = List.copyOf(delaysNanos);
    calls = List.copyOf(calls);
  }

  static Recovery of(
      int planned, List<Long> kills, ProbeRows client, List<FaultedCall> calls, int unanswered) {
    Long[] delays = new Long[kills.size()];
    for (int kill = 0; kill < delays.length; kill++) {
      long until = kill + 1 < delays.length ? kills.get(kill + 1) : Long.MAX_VALUE;
      delays[kill] = longest(client, kills.get(kill), until);
    }
    return new Recovery(planned, kills, List.of(delays), calls, unanswered);
  }

  private static long longest(ProbeRows client, long fromNanos, long untilNanos) {
    long longest = 0;
    for (int row = 0; row < client.size(); row++) {
      long start = client.startNanos()[row];
      long end = client.endNanos()[row];
      if (end >= fromNanos && start < untilNanos) {
        longest = Math.max(longest, end - start);
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
