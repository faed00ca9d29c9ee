package org.terrace.mesh;

import java.nio.file.Path;
import java.util.List;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.scaling.MeshTrial;
import org.terrace.specification.MeshSpecification;

/**
 * A writer of what a trial of a mesh leaves in its folder beside its row: findings, tables, report.
 */
public interface TrialOutput {
  /**
   * Writes the results.
   *
   * @param warnings what the trial lacked, a sentence each
   * @param folder the folder, which has the trial's logs and specification already
   */
  void write(Trial trial, TrialAnalysis analysis, List<String> warnings, Path folder);

  /**
   * The conditions of a mesh that made trials fail, a sentence each; asked when all have ended.
   *
   * @param trials all trials of the mesh
   * @param directory the directory of the mesh
   */
  default List<String> failedConditions(
      MeshSpecification mesh, List<MeshTrial> trials, Path directory) {
    return List.of();
  }
}
