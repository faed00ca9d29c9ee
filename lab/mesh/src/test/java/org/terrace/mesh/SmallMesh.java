package org.terrace.mesh;

import java.util.List;
import java.util.Map;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;
import org.terrace.specification.SpecificationReader;

/** A mesh of four trials, and made-up rows of them. */
final class SmallMesh {
  static final String TEXT =
      """
      kind: Mesh
      name: made-up
      topologies: ["0/{1..2}/0/1"]
      load: {closed: {users: [10, 20], think: exp(1s)}, mix: read-write}
      phases: {run: 10s}
      observe: {packets: false}
      """;

  private SmallMesh() {}

  static MeshSpecification specification() {
    return SpecificationReader.readMesh("made-up.yaml", TEXT);
  }

  static String key(int number) {
    return Integer.toHexString(number).repeat(64).substring(0, 64);
  }

  static TrialRow done(int number) {
    PlannedTrial planned = specification().trials().get(number);
    MeshTrial trial =
        new MeshTrial(
            key(number + 1),
            Status.DONE,
            planned.configuration(),
            planned.users(),
            planned.repeat(),
            10,
            List.of(
                new ClassOutcome(
                    "GET /story/#",
                    12,
                    2,
                    LatencyHistogram.of(new double[] {1_000, 1_024.5}, new long[] {3, 7, 0}))),
            1,
            List.of(
                Utilisation.of(
                    "app1", "app", "cpu", 0.5, new int[] {0, 1, 3}, new double[] {0.25, 0, 1})),
            MeshFolder.relative(key(number + 1)));
    return new TrialRow(trial, List.of("generator-lateness: late"), 17.5, 1);
  }

  static TrialRow failed(int number) {
    PlannedTrial planned = specification().trials().get(number);
    return new TrialRow(
        TrialMeasure.without(planned, key(number + 1), Status.FAILED),
        List.of("it was late", "app1 \"died\""),
        3,
        2);
  }

  static Map<String, String> machine() {
    return Map.of("cores", "2");
  }
}
