package org.terrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.details.ResultMetrics;
import org.terrace.report.FindingsFile;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;

/**
 * The conditions of a mesh's field {@code fail-if}, which its trials have in common. They are
 * judged of all that are done, also of those that an earlier command ran under other conditions.
 * Stateless.
 */
final class MeshConditions {
  private MeshConditions() {}

  /**
   * The conditions that made trials fail, a sentence for each trial and condition.
   *
   * @param names what the sentences call the trials
   * @param directory the mesh's directory, with the findings of each trial
   */
  static List<String> failed(
      List<Threshold> conditions,
      List<MeshTrial> trials,
      ConfigurationNames names,
      Path directory) {
    List<String> failed = new ArrayList<>();
    for (MeshTrial trial : trials) {
      Path findings = directory.resolve(trial.folder()).resolve(FindingsFile.NAME);
      if (trial.status() != Status.DONE || conditions.isEmpty() || !Files.exists(findings)) {
        continue;
      }
      Map<String, Double> figures = ResultMetrics.byName(FindingsFile.read(findings));
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
