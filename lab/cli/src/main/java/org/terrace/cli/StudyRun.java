package org.terrace.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.terrace.analysis.ledger.Claim;
import org.terrace.analysis.ledger.StudyFindings;
import org.terrace.core.TimeSource;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.report.ReportWriter;
import org.terrace.report.ResultDirectory;
import org.terrace.studies.StudyRunner;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyListener;

/** Runs a study, shows how it is getting on, and leaves its ledger and report. */
final class StudyRun implements StudyListener {
  private final Console console;
  private volatile Optional<ProgressFile> file = Optional.empty();

  StudyRun(Console console) {
    this.console = console;
  }

  StudyFindings run(Study study, String specification, boolean full, Path directory)
      throws InterruptedException {
    console.headline(study.name() + ": " + study.paper());
    if (!full) {
      console.message("  a short run; --full repeats the published size");
    }
    ProgressFile progress =
        ProgressFile.begin(
            directory,
            "study",
            study.name(),
            TimeSource.system(),
            text -> console.message("  warning: %s", text));
    file = Optional.of(progress);
    StudyFindings findings;
    try {
      findings = new StudyRunner(Home.folder(), this).run(study, specification, full, directory);
    } finally {
      console.endProgress();
    }
    ResultDirectory.writeStudy(directory, findings);
    progress.end();
    return findings;
  }

  /** Says how each claim fared, for a person. */
  static void tell(Console console, StudyFindings findings, Path directory) {
    for (Claim claim : findings.claims()) {
      console.message("  %-16s %s: %s", claim.verdict(), claim.claim(), claim.measured());
    }
    console.message("Report: %s", directory.resolve(ReportWriter.NAME));
  }

  @Override
  public void message(String text) {
    file.ifPresent(progress -> progress.phase(text));
    console.message("  %s", text);
  }

  @Override
  public void warning(String text) {
    file.ifPresent(progress -> progress.warning(text));
    console.message("  warning: %s", text);
  }

  @Override
  public void progress(String text) {
    file.ifPresent(progress -> progress.message(text));
    console.progress("  %s", text);
  }
}
