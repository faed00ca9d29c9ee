package org.terrace.wire.statistics;

import org.jspecify.annotations.Nullable;

/**
 * A stretch in which the clock of a capture point kept one rate against the reference's. Its offset
 * is how far it is ahead, negative if it is behind. Immutable.
 *
 * @param startNanos the first packet that both points saw, by the reference's clock, in nanoseconds
 *     since the Unix epoch
 * @param endNanos the last one
 * @param offsetNanos the estimated offset in the middle between these
 * @param lowNanos the least offset then that contradicts no packet; null if nothing bounds it
 * @param highNanos the largest one; null if nothing bounds it
 * @param driftPpm the estimated change of the offset, in nanoseconds a millisecond: parts per
 *     million
 * @param driftLowPpm the least drift that contradicts no packet
 * @param driftHighPpm the largest one
 */
public record ClockStretch(
    long startNanos,
    long endNanos,
    long offsetNanos,
    @Nullable Long lowNanos,
    @Nullable Long highNanos,
    double driftPpm,
    double driftLowPpm,
    double driftHighPpm) {}
