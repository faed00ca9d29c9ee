package org.terrace.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.observation.ObservationFiles;
import org.terrace.report.ResultDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code terrace report}: analyses and renders a result directory again. */
@Command(
    name = "report",
    description = "Writes findings.json and report.html of a result directory again.",
    footer = {
      "",
      "Examples:",
      "  terrace report out/quickstart",
      "  terrace report out/quickstart --csv"
    })
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "what terrace run or terrace analyze has written")
  private Path directory = Path.of("");

  @Mixin private CsvOption csv = new CsvOption();
  @Mixin private Thresholds thresholds = new Thresholds();
  @Mixin private Outputs outputs = new Outputs();
  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    thresholds.read(List.of());
    StudyFindings study = ResultDirectory.renderStudy(directory);
    if (study != null) {
      thresholds.refuse();
      csv.refuse();
      StudyRun.tell(console, study, directory);
      return outputs.finish(console, Findings.ofStudy(study));
    }
    AnalysisResult result =
        ResultDirectory.render(directory, AnalysisOptions.defaults(), thresholds.all());
    result.findings().warnings().forEach(each -> console.message("  warning: %s", each));
    if (csv.asked()) {
      csv.write(directory, ObservationFiles.read(directory));
    }
    outputs.tell(console, result, directory);
    int exitCode = outputs.finish(console, result.findings());
    return thresholds.judge(console, directory.toString(), result.findings(), exitCode);
  }
}
