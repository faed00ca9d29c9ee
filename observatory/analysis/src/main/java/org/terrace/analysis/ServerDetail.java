package org.terrace.analysis;

import java.util.List;

/**
 * The details of one server that a report shows beside its findings. Immutable, except that arrays
 * inside are shared.
 *
 * @param server the server's name
 * @param completed requests that it answered in the analysed stretch
 * @param errors answers that report an error
 * @param aborted requests that ended without a complete answer
 * @param unfinished requests whose end was not seen
 * @param residence the distribution of the time between arrival and departure
 * @param classes its request classes, the largest share of time first
 * @param mainSequence its load-throughput curve at the window length that tells its N*
 * @param scatter its load against its throughput at the same window length
 * @param windowMillis that window length, which is longer than the one of the series where a quota
 *     works in longer periods
 */
public record ServerDetail(
    String server,
    long completed,
    long errors,
    long aborted,
    long unfinished,
    Distribution residence,
    List<ClassSummary> classes,
    MainSequence mainSequence,
    Scatter scatter,
    int windowMillis) {

  /** Copies the classes. */
  public ServerDetail {
    classes = List.copyOf(classes);
  }
}
