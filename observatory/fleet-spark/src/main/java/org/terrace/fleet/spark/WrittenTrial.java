package org.terrace.fleet.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.Findings;
import org.terrace.fleet.FleetFindings;
import org.terrace.fleet.FleetStorage;
import org.terrace.fleet.ServerOutcome;
import org.terrace.fleet.TrialJoin;

/**
 * The figures of a trial whose findings were written. Immutable.
 *
 * @param bytes the size of the file
 */
record WrittenTrial(String trial, long requests, int servers, int stalls, long bytes)
    implements Serializable {

  /** Joins the servers of a trial and writes its findings. */
  static WrittenTrial write(
      FleetStorage storage,
      HadoopStorage results,
      String trial,
      Iterable<ServerOutcome> outcomes,
      AnalysisOptions options)
      throws IOException {
    List<ServerOutcome> all = new ArrayList<>();
    outcomes.forEach(all::add);
    Findings findings = TrialJoin.findings(storage, trial, all, options);
    String text = FleetFindings.toJson(findings);
    results.write(
        file(trial),
        text,
        SparkEnv.get().conf().getAppId() + "-" + TaskContext.get().taskAttemptId());
    return new WrittenTrial(
        trial,
        all.stream().mapToLong(ServerOutcome::requests).sum(),
        findings.servers().size(),
        findings.servers().stream().mapToInt(server -> server.stalls().size()).sum(),
        text.getBytes(StandardCharsets.UTF_8).length);
  }

  /** The file of a trial in the folder of results. */
  static String file(String trial) {
    return FleetFindings.folder(trial) + "/" + FleetFindings.NAME;
  }
}
