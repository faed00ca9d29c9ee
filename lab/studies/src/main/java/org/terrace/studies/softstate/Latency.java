package org.terrace.studies.softstate;

import org.apache.commons.statistics.distribution.TDistribution;
import tools.jackson.databind.JsonNode;

/**
 * Latencies of some calls as their load summed them up, in milliseconds; intervals are of 95 %
 * confidence, by order statistics for quantiles and by Student's t for the mean, which takes the
 * calls for independent.
 *
 * @param count number of calls
 * @param perSecond calls a second
 * @param standardError of the mean
 */
record Latency(
    int count,
    double perSecond,
    double mean,
    double standardError,
    double p50,
    double p50Low,
    double p50High,
    double p99,
    double p99Low,
    double p99High) {
  private static final double MISSES = 0.05;

  /** Fewest calls for the interval of a mean by standard error. */
  static final int ENOUGH = 30;

  private static final double MICROS = 1e3;

  static Latency of(JsonNode json) {
    return new Latency(
        json.path("count").asInt(),
        json.path("perSecond").asDouble(),
        json.path("meanMicros").asDouble() / MICROS,
        json.path("standardErrorMicros").asDouble() / MICROS,
        json.path("p50Micros").asDouble() / MICROS,
        json.path("p50LowMicros").asDouble() / MICROS,
        json.path("p50HighMicros").asDouble() / MICROS,
        json.path("p99Micros").asDouble() / MICROS,
        json.path("p99LowMicros").asDouble() / MICROS,
        json.path("p99HighMicros").asDouble() / MICROS);
  }

  /** Whether there are enough calls for the interval of a mean by standard error. */
  boolean isEnough() {
    return count >= ENOUGH;
  }

  /** Whether both are enough, and this mean lies below the other with 95 % intervals apart. */
  boolean isBelow(Latency other) {
    return isEnough() && other.isEnough() && meanHigh() < other.meanLow();
  }

  boolean isEmpty() {
    return count == 0;
  }

  double meanLow() {
    return mean - reach();
  }

  double meanHigh() {
    return mean + reach();
  }

  /** Half the interval's width; of a single call nothing is known beside itself. */
  private double reach() {
    return count < 2
        ? 0
        : TDistribution.of(count - 1).inverseSurvivalProbability(MISSES / 2) * standardError;
  }

  /** Standard deviation over mean. */
  double variation() {
    return mean == 0 ? 0 : standardError * Math.sqrt(count) / mean;
  }
}
