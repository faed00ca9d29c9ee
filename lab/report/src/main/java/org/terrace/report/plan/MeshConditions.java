package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.details.ResultMetrics;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;

/**
 * The conditions of a mesh's field {@code fail-if}, which its trials have in common. They are
 * judged of all that are done, also of those that an earlier command ran under other conditions.
 * Stateless.
 */
public final class MeshConditions {
  private MeshConditions() {}

  /**
   * The conditions that made trials fail, a sentence for each trial and condition.
   *
   * @param names what the sentences call the trials
   * @param findings the findings of a trial that is done; empty where they are not kept
   */
  public static List<String> failed(
      List<Threshold> conditions,
      List<MeshTrial> trials,
      ConfigurationNames names,
      Function<MeshTrial, Optional<Findings>> findings) {
    List<String> failed = new ArrayList<>();
    for (MeshTrial trial : trials) {
      Optional<Findings> found =
          trial.status() == Status.DONE ? findings.apply(trial) : Optional.empty();
      if (found.isEmpty()) {
        continue;
      }
      Map<String, Double> figures = ResultMetrics.byName(found.get());
      for (Threshold condition : conditions) {
        Threshold.Judgement judgement = condition.judge(figures);
        if (judgement.failed()) {
          failed.add(
              "%s, %d users, repeat %d: %s: %s"
                  .formatted(
                      names.of(trial.configuration()),
                      trial.users(),
                      trial.repeat() + 1,
                      judgement.condition(),
                      judgement.detail()));
        }
      }
    }
    return failed;
  }
}
