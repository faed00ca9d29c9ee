package org.terrace.invocation.softstate;

/**
 * A running estimate of one quantile of a stream, in constant space: it goes up a little for each
 * sample above it and down a little for each below, in the ratio that balances at the quantile, by
 * steps in proportion to itself. It follows a stream that changes, and is rough: within about a
 * tenth of the quantile of the last few hundred samples. Confined.
 *
 * <p>Source: Robbins and Monro, "A Stochastic Approximation Method", 1951.
 */
final class QuantileEstimate {
  private static final double STEP = 0.05;

  private final double quantile;
  private double estimate;

  QuantileEstimate(double quantile, double initial) {
    this.quantile = quantile;
    this.estimate = initial;
  }

  void add(double sample) {
    estimate *= sample > estimate ? 1 + STEP * quantile : 1 - STEP * (1 - quantile);
  }

  double value() {
    return estimate;
  }
}
