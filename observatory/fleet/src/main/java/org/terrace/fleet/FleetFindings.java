package org.terrace.fleet;

import java.util.List;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.Findings;

/** The findings of a data set by one process, and their form as a file. Stateless. */
public final class FleetFindings {
  /** The name of a file of findings. */
  public static final String NAME = "findings.json";

  private FleetFindings() {}

  /** The findings of a trial, its servers analysed one after the other. */
  public static Findings of(FleetStorage storage, String trial, AnalysisOptions options) {
    List<ServerOutcome> outcomes =
        ServerTask.of(storage, trial, options).stream().map(task -> task.run(storage)).toList();
    return TrialJoin.findings(storage, trial, outcomes, options);
  }

  /** The folder of a trial's findings in a folder of results. */
  public static String folder(String trial) {
    return PartitionNames.folder("trial", trial);
  }

  /** Findings as the text of a file, in the format {@value Findings#FORMAT}. */
  public static String toJson(Findings findings) {
    return RecordJson.of(findings);
  }
}
