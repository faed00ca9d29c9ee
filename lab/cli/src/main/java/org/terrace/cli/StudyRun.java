package org.terrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.ResultFolder;
import org.terrace.experiment.Trial;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.report.PendingResult;
import org.terrace.report.ReportWriter;
import org.terrace.report.ResultDirectory;
import org.terrace.specification.SpecificationReader;
import org.terrace.studies.Studies;
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

  /**
   * Marks a directory as that of a study, which later runs go on with.
   *
   * @param text the study's specification
   * @throws TerraceException if it holds anything but an earlier run of the study
   */
  static void begin(Path directory, String study, String text) {
    Path specification = directory.resolve(Trial.SPECIFICATION_FILE);
    boolean taken = !PendingResult.firstFree(directory).equals(directory);
    if (taken && (!Files.isRegularFile(specification) || !isOf(specification, study))) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          directory
              + " holds something that is no run of the study "
              + study
              + "; name another directory with --out");
    }
    ResultFolder.prepare(directory);
    ResultFolder.write(specification, text);
  }

  private static boolean isOf(Path specification, String study) {
    try {
      return Studies.read(specification.toString(), SpecificationReader.text(specification))
          .name()
          .equals(study);
    } catch (TerraceException e) {
      return false;
    }
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
