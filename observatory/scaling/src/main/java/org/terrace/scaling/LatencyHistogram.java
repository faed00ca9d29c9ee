package org.terrace.scaling;

import java.util.Arrays;

/**
 * Response times counted between boundaries. Immutable; the arrays are not handed out.
 *
 * <p>The first count is of those up to the first boundary, each further one of those above the
 * boundary before and up to its own, and the last of those above all boundaries: there is one count
 * more than boundaries.
 */
public final class LatencyHistogram {
  private final double[] boundaryMicros;
  private final long[] counts;

  private LatencyHistogram(double[] boundaryMicros, long[] counts) {
    this.boundaryMicros = boundaryMicros;
    this.counts = counts;
  }

  /**
   * The histogram with these boundaries and counts, which are copied.
   *
   * @param boundaryMicros upper ends in microseconds, rising and above 0
   * @param counts one more than boundaries, none negative
   */
  public static LatencyHistogram of(double[] boundaryMicros, long[] counts) {
    if (counts.length != boundaryMicros.length + 1) {
      throw new IllegalArgumentException(
          counts.length
              + " counts for "
              + boundaryMicros.length
              + " boundaries; expected one more");
    }
    double before = 0;
    for (double boundary : boundaryMicros) {
      if (!(boundary > before && boundary < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("boundaries are above 0 and rise");
      }
      before = boundary;
    }
    if (Arrays.stream(counts).anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException("no count is negative");
    }
    return new LatencyHistogram(boundaryMicros.clone(), counts.clone());
  }

  /** The number of response times. */
  public long total() {
    return Arrays.stream(counts).sum();
  }

  /** A copy of the upper ends, in microseconds. */
  public double[] boundaryMicros() {
    return boundaryMicros.clone();
  }

  /** A copy of the counts; the last is of those above all boundaries. */
  public long[] counts() {
    return counts.clone();
  }

  /**
   * The number of response times up to a threshold. Within the bin that holds it they count as
   * spread evenly; those above all boundaries count as above every threshold.
   */
  public double atMost(double thresholdMicros) {
    double sum = 0;
    double from = 0;
    for (int i = 0; i < boundaryMicros.length; i++) {
      double to = boundaryMicros[i];
      if (to > thresholdMicros) {
        return sum + counts[i] * Math.max(0, (thresholdMicros - from) / (to - from));
      }
      sum += counts[i];
      from = to;
    }
    return sum;
  }

  /**
   * The response times in the bin that holds a threshold, which is by how much {@link #atMost} can
   * err: 0 where the threshold is a boundary.
   */
  public long doubtful(double thresholdMicros) {
    double from = 0;
    for (int i = 0; i < boundaryMicros.length; i++) {
      if (boundaryMicros[i] >= thresholdMicros) {
        return thresholdMicros > from && thresholdMicros < boundaryMicros[i] ? counts[i] : 0;
      }
      from = boundaryMicros[i];
    }
    return thresholdMicros > from ? counts[counts.length - 1] : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LatencyHistogram that
        && Arrays.equals(boundaryMicros, that.boundaryMicros)
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(boundaryMicros) + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return Arrays.toString(boundaryMicros) + " " + Arrays.toString(counts);
  }
}
