package org.terrace.mesh;

import java.nio.file.Path;
import java.util.List;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;

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
}
