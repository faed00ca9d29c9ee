package org.terrace.analysis.finding;

import org.jspecify.annotations.Nullable;

/**
 * Seconds in which users waited much longer than is usual in the same observation. Immutable.
 *
 * @param startNanos the start of its first second, in nanoseconds since the Unix epoch
 * @param endNanos the end of its last second
 * @param worstP99Micros the 99th percentile of the response times of its worst second; 0 where
 *     nothing was answered
 * @param excessMicros the sum, over its seconds, of what the 99th percentile is above the usual
 * @param heldUpSeconds its seconds in which requests piled up and hardly any was answered
 * @param stallEpisode the place, from 0, in the stall episodes of the findings of the one whose
 *     server stood still longest meanwhile; null where none did
 */
public record SlowStretch(
    long startNanos,
    long endNanos,
    double worstP99Micros,
    double excessMicros,
    int heldUpSeconds,
    @Nullable Integer stallEpisode) {

  /** The length in seconds. */
  public double seconds() {
    return (endNanos - startNanos) / 1e9;
  }
}
