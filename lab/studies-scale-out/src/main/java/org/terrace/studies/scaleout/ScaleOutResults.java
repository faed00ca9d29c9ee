package org.terrace.studies.scaleout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.FailedTrials;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.bottleneck.SaturationRules;
import org.terrace.scaling.economy.CountedCells;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;

/**
 * The outcome of the study's trials. Immutable.
 *
 * @param parameters the size of the study
 * @param mesh all trials
 * @param map what holds each configuration back
 * @param plan what configurations that are read and written earn; empty where none was measured, or
 *     most trials failed of each
 * @param lacking the reason why the machine could run no trial; empty where it could
 * @param noNdbLike the reason why it could run none of SQL nodes and data nodes; empty where it
 *     could
 */
record ScaleOutResults(
    ScaleOutParameters parameters,
    Mesh mesh,
    BottleneckMap map,
    Optional<Plan> plan,
    String lacking,
    String noNdbLike) {
  /** The price of a normal node for an hour. */
  static final double NORMAL_NODE = 0.2;

  /** The price of a low-cost node for an hour. */
  static final double LOW_COST_NODE = 0.05;

  /** The threshold of an answer in time, in milliseconds. */
  static final double WITHIN_MILLIS = 1_000;

  /** The revenue of an answer in time; half of it is the penalty of any other. */
  static final double REVENUE = 0.00001;

  /** The prices of servers, and the earnings of answers in time. */
  static final Prices PRICES =
      new Prices(
          "EUR",
          Map.of(Configuration.NORMAL, NORMAL_NODE, ScaleOutSetting.LOW_COST, LOW_COST_NODE),
          Map.of(),
          new Terms(WITHIN_MILLIS, REVENUE, REVENUE / 2),
          List.of(),
          0);

  static ScaleOutResults of(
      ScaleOutParameters parameters, Mesh mesh, String lacking, String noNdbLike, long seed) {
    Mesh earning = earning(mesh);
    Optional<Plan> plan =
        earning.done().isEmpty() || mostFailed(earning)
            ? Optional.empty()
            : Optional.of(Plan.of(earning, PRICES));
    return new ScaleOutResults(
        parameters,
        mesh,
        BottleneckMap.of(mesh, SaturationRules.DEFAULT, seed),
        plan,
        lacking,
        noNdbLike);
  }

  /** The reason for which no claim can be told; empty where some may be. */
  Optional<String> untold() {
    return !lacking.isEmpty()
        ? Optional.of(lacking)
        : mostFailed(mesh) ? Optional.of(failures(mesh)) : Optional.empty();
  }

  /** Whether more trials failed than were done of each configuration under each load. */
  static boolean mostFailed(Mesh mesh) {
    CountedCells counted = CountedCells.of(mesh.cells(), mesh.lost());
    return counted.cells().isEmpty() && !counted.lost().isEmpty();
  }

  /** The failures of such a mesh as a part of a sentence, with the reason that is known first. */
  static String failures(Mesh mesh) {
    FailedTrials failed = FailedTrials.of(mesh.trials());
    return "most trials failed of each configuration under each load (%d failed, %d were done%s)"
        .formatted(
            failed.count(),
            mesh.done().size(),
            failed.reasons().isEmpty() ? "" : "; one since " + failed.reasons().getFirst());
  }

  /** The trials of the mix that is read and written, whose profits can be compared. */
  Mesh earning() {
    return earning(mesh);
  }

  private static Mesh earning(Mesh mesh) {
    return new Mesh(
        mesh.name(),
        mesh.machine(),
        mesh.trials().stream()
            .filter(trial ->
                ScaleOutSetting.READ_WRITE.equals(
                    trial.configuration().variations().get(ScaleOutSetting.MIX)))
            .toList());
  }
}
