package org.terrace.analysis;

import java.util.List;
import org.terrace.analysis.experience.ClientSeconds;

/**
 * The clients' view over time, in intervals of equal length, and in all. The arrays have one
 * length; element {@code i} covers {@code [startNanos + i * intervalNanos, startNanos + (i + 1) *
 * intervalNanos)}, by the moment a request ended. They are shared, not copied: treat them as
 * read-only.
 *
 * @param startNanos the start of the first interval, in nanoseconds since the Unix epoch
 * @param intervalNanos the length of an interval, one second
 * @param requestsPerSecond good answers a second
 * @param errorsPerSecond errors a second: bad answers, and requests that never got one
 * @param p50Micros the median time from actual send to last byte of the answers, in microseconds;
 *     {@code NaN} where there were none
 * @param p99Micros the 99th percentile of the same; {@code NaN} where there were none
 * @param inFlight the time average of requests in flight
 * @param latency the distribution of the time from actual send to last byte
 * @param intendedLatency the distribution of the time from intended send to last byte
 * @param classes the pages, the largest share of time first; their work units are 1
 */
public record ClientSeries(
    long startNanos,
    long intervalNanos,
    double[] requestsPerSecond,
    double[] errorsPerSecond,
    double[] p50Micros,
    double[] p99Micros,
    double[] inFlight,
    Distribution latency,
    Distribution intendedLatency,
    List<ClassSummary> classes) {

  /** Copies the classes. */
  public ClientSeries {
    classes = List.copyOf(classes);
  }

  /** The part of it from which the clients' experience is told. */
  ClientSeconds seconds() {
    return new ClientSeconds(startNanos, intervalNanos, requestsPerSecond, p99Micros, inFlight);
  }
}
