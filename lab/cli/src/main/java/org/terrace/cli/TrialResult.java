package org.terrace.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.details.FindingDetails;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.report.ResultDirectory;
import org.terrace.report.TrialFacts;
import org.terrace.report.TrialFacts.Fact;

/** The files that a trial leaves: findings, tables, facts and report. Stateless. */
final class TrialResult {
  private TrialResult() {}

  /**
   * Writes them all.
   *
   * @param command the command line that does the same again
   * @param judge judges the conditions under which the result has failed
   * @return the result with its warnings and judgements
   */
  static AnalysisResult write(
      Trial trial,
      TrialAnalysis analysis,
      List<String> warnings,
      String command,
      Function<Findings, List<Threshold.Judgement>> judge,
      Path directory) {
    List<String> notes = new ArrayList<>(warnings);
    notes.addAll(analysis.losses());
    TrialFacts facts =
        new TrialFacts(
            trial.experiment().name(),
            command,
            trial.specification(),
            trial.experiment().seed(),
            factsOf(trial.machine()),
            factsOf(trial.versions()),
            notes,
            List.of(),
            List.of(),
            List.of());
    AnalysisResult analysed = analysis.result();
    Findings findings =
        FindingDetails.added(
            analysed.findings(),
            analysis.observation(),
            analysed.stretch().startNanos(),
            analysed.stretch().endNanos());
    AnalysisResult result =
        analysed.withFindings(findings.withOutcome(notes, judge.apply(findings)));
    ResultDirectory.write(directory, analysis.observation(), result, facts);
    return result;
  }

  private static List<Fact> factsOf(Map<String, String> named) {
    return named.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> new Fact(entry.getKey(), entry.getValue()))
        .toList();
  }
}
