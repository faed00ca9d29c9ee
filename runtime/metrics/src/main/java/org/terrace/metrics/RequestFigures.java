package org.terrace.metrics;

import java.util.List;
import java.util.function.Supplier;
import org.terrace.collections.RequestDeduplicationMetrics;

/** The figures of what makes requests of soft-state services count once. */
final class RequestFigures {
  private RequestFigures() {}

  static List<RuntimeMetric> of(Supplier<RequestDeduplicationMetrics> requests) {
    return Figures.ofLocked(requests)
        .gauge(
            "undecided",
            "requests run here whose authority is not known yet",
            RequestDeduplicationMetrics::undecided)
        .counter(
            "decidedHere",
            "requests that this replica was the authority of",
            RequestDeduplicationMetrics::decidedHere)
        .counter(
            "decidedElsewhere",
            "requests whose effects were dropped for the authority's",
            RequestDeduplicationMetrics::decidedElsewhere)
        .counter(
            "decidedByAge",
            "requests decided here as nobody had for long",
            RequestDeduplicationMetrics::decidedByAge)
        .counter(
            "repeated",
            "requests that came again and were given the same reply",
            RequestDeduplicationMetrics::repeated)
        .counter(
            "tooOld",
            "requests refused as older than what their client had decided",
            RequestDeduplicationMetrics::tooOld)
        .counter(
            "notRun",
            "copies not run as too many requests were undecided",
            RequestDeduplicationMetrics::notRun)
        .counter(
            "decidedTwice",
            "requests that two replicas decided: one's effects were taken back",
            RequestDeduplicationMetrics::decidedTwice)
        .list();
  }
}
