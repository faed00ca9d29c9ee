package org.terrace.studies.magical;

import java.util.List;
import java.util.Optional;

/**
 * The outcome of one application on one middleware.
 *
 * @param measurements its configurations, those of the least mean first
 * @param recovery what crashes of its primary cost; empty where none was asked for
 * @param invariantsHold whether its data were whole afterwards
 * @param dropped calls whose probes found no room at a server
 */
record ApplicationResult(
    Subject subject,
    String middleware,
    List<Measurement> measurements,
    Optional<Recovery> recovery,
    boolean invariantsHold,
    long dropped) {

  ApplicationResult {
    measurements = List.copyOf(measurements);
  }

  /** Its name for people, with the middleware where that is not the one of its team. */
  String label() {
    return subject.title() + (middleware.equals(subject.middleware()) ? "" : ", " + middleware);
  }

  long calls() {
    return measurements.stream().mapToLong(Measurement::calls).sum();
  }

  long outliers() {
    return measurements.stream().mapToLong(m -> m.tail().sigmaOutliers().count()).sum();
  }

  /** The part of all its calls that are outliers of their configuration. */
  double outlierShare() {
    return (double) outliers() / Math.max(1, calls());
  }

  double maxZ() {
    return measurements.stream().mapToDouble(m -> m.tail().maxZ()).max().orElse(0);
  }

  double maxZCeiling() {
    return measurements.stream().mapToDouble(m -> m.tail().maxZCeiling()).max().orElse(0);
  }

  double maxOverMean() {
    return measurements.stream().mapToDouble(Measurement::maxOverMean).max().orElse(0);
  }

  double peakRate() {
    return measurements.stream().mapToDouble(Measurement::peakRate).max().orElse(0);
  }

  int serverOutliers() {
    return measurements.stream().mapToInt(m -> m.split().server()).sum();
  }

  int middlewareOutliers() {
    return measurements.stream().mapToInt(m -> m.split().middleware()).sum();
  }

  /** The largest latency with a single client; 0 where no configuration has one. */
  long largestWithOneClientNanos() {
    return measurements.stream()
        .filter(m -> m.configuration().clients() == 1)
        .mapToLong(m -> m.tail().maxNanos())
        .max()
        .orElse(0);
  }
}
