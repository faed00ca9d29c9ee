package org.terrace.analysis;

import org.jspecify.annotations.Nullable;

/**
 * The curve that a server's load and throughput follow when nothing is wrong: medians of
 * equal-count bins of load, and the hinge {@code min(slope * load, capacity)} fitted to them. The
 * arrays have one length and are shared, not copied: treat them as read-only.
 *
 * @param binLoad the mean load of each bin, ascending
 * @param binThroughput the median throughput of each bin, in work units a second
 * @param slope the throughput gained for each concurrent request below N*; null when N* is not
 *     identifiable
 * @param capacity the throughput beyond N*; null when N* is not identifiable
 */
public record MainSequence(
    double[] binLoad, double[] binThroughput, @Nullable Double slope, @Nullable Double capacity) {}
