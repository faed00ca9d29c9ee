package org.terrace.analysis.tail;

/**
 * Mean and standard deviation of a sample.
 *
 * @param count the number of values
 * @param meanNanos their mean; 0 when there are none
 * @param sigmaNanos the square root of the unbiased variance; 0 for fewer than two values
 */
public record Moments(int count, double meanNanos, double sigmaNanos) {
  /** The moments of values, in two passes, so that nothing cancels. O(n). */
  public static Moments of(long[] nanos) {
    int count = nanos.length;
    if (count == 0) {
      return new Moments(0, 0, 0);
    }
    double sum = 0;
    for (long value : nanos) {
      sum += value;
    }
    double mean = sum / count;
    double squares = 0;
    double rest = 0;
    for (long value : nanos) {
      double difference = value - mean;
      squares += difference * difference;
      rest += difference;
    }
    double variance = count < 2 ? 0 : (squares - rest * rest / count) / (count - 1);
    return new Moments(count, mean, Math.sqrt(Math.max(0, variance)));
  }

  /** The number of sigma that a value lies above the mean; 0 where sigma is 0. */
  public double z(double nanos) {
    return sigmaNanos > 0 ? (nanos - meanNanos) / sigmaNanos : 0;
  }
}
