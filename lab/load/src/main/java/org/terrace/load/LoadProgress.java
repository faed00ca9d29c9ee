package org.terrace.load;

import java.util.Locale;

/**
 * The progress of a run of load: its last second. Immutable.
 *
 * @param second seconds since the start
 * @param phase {@code ramp-up}, {@code run} or {@code ramp-down}
 * @param users users at work
 * @param requestsPerSecond pages that ended, a second
 * @param errors those of them that failed
 * @param p50Micros the median of their response times
 * @param p99Micros the 99th percentile of their response times
 */
public record LoadProgress(
    long second,
    String phase,
    int users,
    double requestsPerSecond,
    long errors,
    long p50Micros,
    long p99Micros) {

  /** The progress as one line of JSON. */
  public String toJson() {
    return String.format(
        Locale.ROOT,
        "{\"second\":%d,\"phase\":\"%s\",\"users\":%d,\"requestsPerSecond\":%.1f,\"errors\":%d,"
            + "\"p50Micros\":%d,\"p99Micros\":%d}",
        second,
        phase,
        users,
        requestsPerSecond,
        errors,
        p50Micros,
        p99Micros);
  }
}
