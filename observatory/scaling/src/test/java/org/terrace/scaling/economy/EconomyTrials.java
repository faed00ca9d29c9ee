package org.terrace.scaling.economy;

import java.util.List;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.MeshTrial;

/** Trials of a hundred seconds with one class of requests, for tests of what they earn. */
final class EconomyTrials {
  private static final double SECONDS = 100;

  private EconomyTrials() {}

  /** A trial that failed. */
  static MeshTrial failed(Configuration configuration, int users, int repeat) {
    return without(MeshTrial.Status.FAILED, configuration, users, repeat);
  }

  /** A trial that was not run. */
  static MeshTrial skipped(Configuration configuration, int users, int repeat) {
    return without(MeshTrial.Status.SKIPPED, configuration, users, repeat);
  }

  private static MeshTrial without(
      MeshTrial.Status status, Configuration configuration, int users, int repeat) {
    return new MeshTrial(
        configuration.label() + " " + users + " " + repeat,
        status,
        configuration,
        users,
        repeat,
        0,
        List.of(),
        0,
        List.of(),
        "trials/x");
  }

  /** A trial all of whose requests are answered in time. */
  static MeshTrial trial(Configuration configuration, int users, int repeat, long good) {
    return trial(configuration, users, repeat, good, 0, 0);
  }

  /** A trial with requests that are answered within 100 ms, later, and not at all. */
  static MeshTrial trial(
      Configuration configuration, int users, int repeat, long good, long slow, long errors) {
    return new MeshTrial(
        configuration.label() + " " + users + " " + repeat,
        MeshTrial.Status.DONE,
        configuration,
        users,
        repeat,
        SECONDS,
        List.of(
            new ClassOutcome(
                "page",
                good + slow + errors,
                errors,
                LatencyHistogram.of(new double[] {100_000}, new long[] {good, slow}))),
        (good + slow) / SECONDS,
        List.of(),
        "trials/x");
  }
}
