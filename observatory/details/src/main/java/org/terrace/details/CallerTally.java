package org.terrace.details;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.Percentiles;
import org.terrace.observation.Outcome;

/**
 * The calls of one server as they are counted, by their caller. Takes 8 bytes of memory a call.
 * Confined to one thread.
 */
public final class CallerTally {
  /** Callers listed of one server. */
  private static final int CALLERS_MAX = 100;

  private static final double NANOS_PER_MICRO = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, Calls> calls = new HashMap<>();
  private final long startNanos;
  private final long endNanos;

  /** The calls of one caller. */
  private static final class Calls {
    private long[] nanos = new long[64];
    private int answered;
    private long errors;

    void add(long residenceNanos, Outcome outcome) {
      errors += outcome == Outcome.ERROR || outcome == Outcome.ABORTED ? 1 : 0;
      if (outcome == Outcome.OK || outcome == Outcome.ERROR) {
        nanos = answered == nanos.length ? Arrays.copyOf(nanos, 2 * answered) : nanos;
        nanos[answered++] = residenceNanos;
      }
    }

    Caller named(String caller, double seconds) {
      long[] sorted = Arrays.copyOf(nanos, answered);
      Arrays.sort(sorted);
      double sum = Arrays.stream(sorted).asDoubleStream().sum();
      return new Caller(
          caller,
          answered,
          answered / seconds,
          new Findings.Latency(
              answered == 0 ? 0 : sum / answered / NANOS_PER_MICRO,
              micros(sorted, 50),
              micros(sorted, 99),
              micros(sorted, 99.9),
              micros(sorted, 100)),
          errors);
    }

    private static double micros(long[] sorted, double percent) {
      return sorted.length == 0
          ? 0
          : sorted[Percentiles.rank(sorted.length, percent) - 1] / NANOS_PER_MICRO;
    }
  }

  /** Counts calls that end in {@code [startNanos, endNanos)}, since the Unix epoch. */
  public CallerTally(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  /**
   * Counts a call, if it ended in time.
   *
   * @param caller the server that called, or {@link org.terrace.observation.Server#CLIENTS}
   */
  public void add(String caller, long arrivalNanos, long departureNanos, Outcome outcome) {
    if (departureNanos >= startNanos && departureNanos < endNanos) {
      calls
          .computeIfAbsent(caller, each -> new Calls())
          .add(departureNanos - arrivalNanos, outcome);
    }
  }

  /** The callers, those with most calls first. */
  public List<Caller> callers() {
    double seconds = Math.max(1, endNanos - startNanos) / NANOS_PER_SECOND;
    return calls.entrySet().stream()
        .map(each -> each.getValue().named(each.getKey(), seconds))
        .sorted(Comparator.comparingLong(Caller::calls).reversed().thenComparing(Caller::caller))
        .limit(CALLERS_MAX)
        .toList();
  }
}
