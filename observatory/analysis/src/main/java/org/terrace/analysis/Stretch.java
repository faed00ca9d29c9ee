package org.terrace.analysis;

/**
 * The part of an observation that an analysis covers. Immutable.
 *
 * @param startNanos its start, in nanoseconds since the Unix epoch
 * @param endNanos its end, exclusive
 * @param basis why it is this part: {@code phase-run} when the observation marks a run phase,
 *     {@code trimmed} when its edges were cut off because it marks none, {@code whole} when it was
 *     too short to cut, {@code busiest} when the observation is too long to be analysed whole
 */
public record Stretch(long startNanos, long endNanos, String basis) {
  /** Checks the order of the times. */
  public Stretch {
    if (endNanos < startNanos) {
      throw new IllegalArgumentException("end " + endNanos + " is before start " + startNanos);
    }
  }

  /** The length in seconds. */
  public double seconds() {
    return (endNanos - startNanos) / 1e9;
  }
}
