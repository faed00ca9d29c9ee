package org.terrace.control.detector;

/**
 * The suspicion that a silence raises, as a number: phi = -log10 of the probability that a
 * heartbeat comes even later than now, were the intervals between heartbeats normally distributed
 * with the mean and deviation of the last ones.
 *
 * <p>The probability is that of the logistic approximation of the normal distribution's tail
 * (Bowling et al., "A logistic approximation to the cumulative normal distribution", 2009), which
 * errs by less than 0.00014 near the middle; in the far tail it gives larger probabilities than the
 * normal, so suspicion grows more slowly. The deviation has a floor of a quarter of the period, so
 * that a very regular past does not declare failed the first late heartbeat. Source of the idea:
 * Hayashibara, Defago, Yared, Katayama, "The phi accrual failure detector", 2004. A heartbeat and a
 * reading cost constant time. Confined to one thread.
 */
public final class PhiAccrual {
  private static final double DEVIATION_FLOOR = 0.25;
  private static final double LINEAR = 1.5976;
  private static final double CUBIC = 0.070566;

  private final long[] intervals;
  private final double deviationMinNanos;
  private int count;
  private int next;
  private double sum;
  private double sumOfSquares;
  private long lastNanos;

  /**
   * A detector that begins as if a heartbeat had come at the given time, after regular ones.
   *
   * @param window how many intervals are remembered
   * @param periodNanos the interval that heartbeats are meant to have
   */
  public PhiAccrual(int window, long periodNanos, long nowNanos) {
    this.intervals = new long[window];
    this.deviationMinNanos = periodNanos * DEVIATION_FLOOR;
    this.lastNanos = nowNanos;
    remember(periodNanos);
  }

  /** Takes note of a heartbeat. */
  public void heartbeat(long nowNanos) {
    remember(Math.max(0, nowNanos - lastNanos));
    lastNanos = nowNanos;
  }

  /** Moves the last heartbeat forward by a time in which none could have been heard. */
  public void excuse(long nanos) {
    lastNanos += nanos;
  }

  /** The time for which nothing has been heard. */
  public long silenceNanos(long nowNanos) {
    return Math.max(0, nowNanos - lastNanos);
  }

  /** The suspicion, from 0; it grows with the silence and never ends growing. */
  public double phi(long nowNanos) {
    double mean = sum / count;
    double variance = Math.max(0, sumOfSquares / count - mean * mean);
    double deviation = Math.max(deviationMinNanos, Math.sqrt(variance));
    double y = (silenceNanos(nowNanos) - mean) / deviation;
    double exponent = y * (LINEAR + CUBIC * y * y);
    return exponent > 0
        ? (exponent + Math.log1p(Math.exp(-exponent))) / Math.log(10)
        : Math.log1p(Math.exp(exponent)) / Math.log(10);
  }

  private void remember(long intervalNanos) {
    if (count == intervals.length) {
      double oldest = intervals[next];
      sum -= oldest;
      sumOfSquares -= oldest * oldest;
    } else {
      count++;
    }
    intervals[next] = intervalNanos;
    sum += intervalNanos;
    sumOfSquares += (double) intervalNanos * intervalNanos;
    next = (next + 1) % intervals.length;
  }
}
