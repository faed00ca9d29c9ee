package org.terrace.analysis;

/**
 * Load and throughput of one server in consecutive windows of equal length. All arrays have one
 * length; element {@code i} covers {@code [startNanos + i * windowNanos, startNanos + (i + 1) *
 * windowNanos)}.
 *
 * <p>The arrays are shared, not copied: treat them as read-only.
 *
 * @param server the server's name
 * @param startNanos the start of the first window, in nanoseconds since the Unix epoch
 * @param windowNanos the window length
 * @param load the exact time average of requests in flight
 * @param throughput completed requests a second
 * @param workUnits completed work units a second: throughput with each request weighted by its
 *     class, which makes windows of different mixes comparable
 */
public record ServerSeries(
    String server,
    long startNanos,
    long windowNanos,
    double[] load,
    double[] throughput,
    double[] workUnits) {}
