package org.terrace.analysis.experience;

import java.io.Serializable;

/**
 * The part of the clients' view over time from which their experience is told, in intervals of
 * equal length. The arrays have one length and are shared, not copied: treat them as read-only.
 *
 * @param startNanos the start of the first interval, in nanoseconds since the Unix epoch
 * @param intervalNanos the length of an interval, one second
 * @param answersPerSecond good answers a second
 * @param p99Micros the 99th percentile of the time from actual send to last byte, in microseconds;
 *     {@code NaN} where there were no answers
 * @param inFlight the time average of requests in flight
 */
public record ClientSeconds(
    long startNanos,
    long intervalNanos,
    double[] answersPerSecond,
    double[] p99Micros,
    double[] inFlight)
    implements Serializable {}
