package org.terrace.mesh;

import java.util.List;
import java.util.Map;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;
import org.terrace.specification.PlannedTrial;

/** Rows of trials whose servers are made up: their outcome is told. Stateless. */
final class MadeUpTrials {
  /** The requests of each trial. */
  static final int REQUESTS = 10_000;

  static final Surroundings SURROUNDINGS = new Surroundings("programs", Map.of("cores", "2"));

  private static final double SECONDS = 10;
  private static final double FAST_MICROS = 100_000;

  private MadeUpTrials() {}

  /** A trial in which a share of the requests took less than 0.1 s, and the others more than 10. */
  static TrialRow done(PlannedTrial planned, double goodShare) {
    String key = SURROUNDINGS.key(planned);
    long good = Math.round(goodShare * REQUESTS);
    LatencyHistogram latency =
        LatencyHistogram.of(
            new double[] {FAST_MICROS, 100 * FAST_MICROS}, new long[] {good, 0, REQUESTS - good});
    int servers = planned.configuration().servers("app");
    MeshTrial trial =
        new MeshTrial(
            key,
            Status.DONE,
            planned.configuration(),
            planned.users(),
            planned.repeat(),
            SECONDS,
            List.of(new ClassOutcome("GET /", REQUESTS, 0, latency)),
            REQUESTS / SECONDS,
            List.of(Utilisation.of("app1", "app", "cpu", 1, new double[] {0.9 / servers, 0.9})),
            MeshFolder.relative(key));
    return new TrialRow(trial, List.of(), SECONDS, 1);
  }

  static TrialRow failed(PlannedTrial planned) {
    String key = SURROUNDINGS.key(planned);
    return new TrialRow(
        TrialMeasure.without(planned, key, Status.FAILED), List.of("the machine was busy"), 1, 1);
  }
}
