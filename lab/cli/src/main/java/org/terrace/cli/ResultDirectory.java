package org.terrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.Findings;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.report.FindingsFile;
import org.terrace.report.ReportWriter;
import org.terrace.report.TrialFacts;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A directory with everything one measurement left behind: the three tables, the findings, the
 * page, and what a page needs beside them.
 */
final class ResultDirectory {
  /** What a report tells beside the findings, for rendering it again. */
  private static final String FACTS_FILE = "facts.json";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final Path directory;

  ResultDirectory(Path directory) {
    this.directory = directory;
  }

  /** What the measurement itself brought, beside the tables. */
  record Circumstances(
      Findings.@Nullable Capture capture, List<Findings.Validity> validity, TrialFacts facts) {}

  /** Analyses the observation and writes tables, findings and page. */
  Findings write(Observation observation, AnalysisOptions options, Circumstances circumstances) {
    create();
    ObservationFiles.write(directory, observation);
    // The tables are in files of their own.
    TrialFacts without =
        circumstances
            .facts()
            .with(new Observation(List.of(), observation.requests(), List.of(), List.of()));
    writeWhole(directory.resolve(FACTS_FILE), JSON.writeValueAsString(without) + "\n");
    return render(observation, options, circumstances);
  }

  /** Analyses and renders again what a former call wrote. */
  Findings writeAgain(AnalysisOptions options) {
    Findings former = FindingsFile.read(directory.resolve(FindingsFile.NAME));
    TrialFacts facts = readFacts();
    Observation observation = ObservationFiles.read(directory);
    return render(
        observation, options, new Circumstances(former.capture(), former.validity(), facts));
  }

  private Findings render(
      Observation observation, AnalysisOptions options, Circumstances circumstances) {
    AnalysisResult analysed = Analysis.analyze(observation, options);
    Findings findings = analysed.findings().withValidity(circumstances.validity());
    if (circumstances.capture() != null) {
      findings = findings.withCapture(circumstances.capture());
    }
    AnalysisResult whole = analysed.withFindings(findings);
    FindingsFile.write(directory.resolve(FindingsFile.NAME), findings);
    ReportWriter.write(
        whole, circumstances.facts().with(observation), directory.resolve(ReportWriter.NAME));
    sentence = analysed.verdict().sentence();
    return findings;
  }

  private String sentence = "";

  /** The verdict of the latest analysis, in a sentence. */
  String verdict() {
    return sentence;
  }

  Path report() {
    return directory.resolve(ReportWriter.NAME);
  }

  private TrialFacts readFacts() {
    Path file = directory.resolve(FACTS_FILE);
    try {
      return JSON.readValue(Files.readString(file), TrialFacts.class);
    } catch (IOException | JacksonException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file
              + ": it cannot be read ("
              + e.getMessage()
              + "). Name a directory that terrace run or terrace analyze has written.",
          e);
    }
  }

  private void create() {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          directory + ": the directory cannot be made (" + e.getMessage() + "); give another --out",
          e);
    }
  }

  private static void writeWhole(Path file, String text) {
    Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(unfinished, text);
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, file + ": it cannot be written (" + e.getMessage() + ")", e);
    }
  }
}
