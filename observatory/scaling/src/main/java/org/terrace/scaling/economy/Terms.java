package org.terrace.scaling.economy;

/**
 * The terms of a class of requests: the agreement between who runs the service and who uses it.
 * Immutable.
 *
 * @param thresholdMillis the response time up to which a request is successful
 * @param revenue what a successful request earns
 * @param penalty what any other request costs: too slow, failed, or not finished
 */
public record Terms(double thresholdMillis, double revenue, double penalty) {
  private static final double MICROS = 1_000;

  /** Checks that nothing is negative. */
  public Terms {
    if (!(thresholdMillis > 0 && Double.isFinite(thresholdMillis))) {
      throw new IllegalArgumentException(
          "threshold is " + thresholdMillis + " ms; expected above 0");
    }
    if (!(revenue >= 0 && Double.isFinite(revenue))
        || !(penalty >= 0 && Double.isFinite(penalty))) {
      throw new IllegalArgumentException("revenue and penalty are not below 0");
    }
  }

  /** The threshold in microseconds. */
  double thresholdMicros() {
    return thresholdMillis * MICROS;
  }

  /** The same terms with another threshold. */
  Terms thresholdTimes(double factor) {
    return new Terms(thresholdMillis * factor, revenue, penalty);
  }

  /** The same terms with another revenue. */
  Terms revenueTimes(double factor) {
    return new Terms(thresholdMillis, revenue * factor, penalty);
  }

  /** The same terms with another penalty. */
  Terms penaltyTimes(double factor) {
    return new Terms(thresholdMillis, revenue, penalty * factor);
  }
}
