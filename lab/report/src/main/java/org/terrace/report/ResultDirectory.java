package org.terrace.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.FindingDetails;
import org.terrace.details.ResultMetrics;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;

/**
 * The directory that a run or an analysis leaves: the tables of the observation as Parquet, {@code
 * findings.json}, {@code facts.json} and {@code report.html}. Everything else can be made again
 * from the tables. Stateless.
 */
public final class ResultDirectory {
  private static final String REQUESTS = "requests.parquet";

  private ResultDirectory() {}

  /**
   * Writes everything. The facts' servers, samples and events are those of the observation,
   * whatever the facts hold.
   */
  public static void write(
      Path directory, Observation observation, AnalysisResult result, TrialFacts facts) {
    ObservationFiles.write(directory, observation);
    FindingsFile.write(directory.resolve(FindingsFile.NAME), result.findings());
    FactsFile.write(directory.resolve(FactsFile.NAME), facts);
    ReportWriter.write(result, facts.with(observation), directory.resolve(ReportWriter.NAME));
  }

  /** Writes the findings and the page of a study that observed no servers. */
  public static void writeStudy(Path directory, StudyFindings study) {
    FindingsFile.write(directory.resolve(FindingsFile.NAME), Findings.ofStudy(study));
    ReportWriter.writeStudy(study, directory.resolve(ReportWriter.NAME));
  }

  /** The facts of the result in a directory; null where it holds none, as that of a study. */
  public static @Nullable TrialFacts facts(Path directory) {
    Path file = directory.resolve(FactsFile.NAME);
    return Files.exists(file) ? FactsFile.read(file) : null;
  }

  /**
   * Renders the page of a study again from its findings.
   *
   * @return the study; null where the directory holds none, or one with tables of an observation,
   *     which {@link #render} analyses
   */
  public static @Nullable StudyFindings renderStudy(Path directory) {
    Path findings = directory.resolve(FindingsFile.NAME);
    if (!Files.exists(findings) || Files.exists(directory.resolve(REQUESTS))) {
      return null;
    }
    StudyFindings study = FindingsFile.read(findings).studyFindings();
    if (study != null) {
      ReportWriter.writeStudy(study, directory.resolve(ReportWriter.NAME));
    }
    return study;
  }

  /**
   * Analyses the tables of a directory again and writes its findings and its report again. What
   * only the run could know is kept from the findings that are there: the capture, the checks, the
   * claims and the warnings; its thresholds are judged again.
   *
   * @param options the settings of the analysis
   * @param added thresholds beside those that the result has
   * @return the result
   */
  public static AnalysisResult render(
      Path directory, AnalysisOptions options, List<Threshold> added) {
    Rendering rendering = analysed(directory, options, added);
    FindingsFile.write(directory.resolve(FindingsFile.NAME), rendering.result().findings());
    ReportWriter.write(rendering.result(), rendering.facts(), directory.resolve(ReportWriter.NAME));
    return rendering.result();
  }

  /** The same with the thresholds that the result has. */
  public static AnalysisResult render(Path directory, AnalysisOptions options) {
    return render(directory, options, List.of());
  }

  /**
   * The page of a directory, made anew and not written: of its tables as {@link #render} has it, or
   * of its findings as {@link #renderStudy} does.
   */
  public static String page(Path directory, AnalysisOptions options) {
    Path findings = directory.resolve(FindingsFile.NAME);
    if (!Files.exists(directory.resolve(REQUESTS)) && Files.exists(findings)) {
      StudyFindings study = FindingsFile.read(findings).studyFindings();
      if (study != null) {
        return ReportWriter.renderStudy(study);
      }
    }
    Rendering rendering = analysed(directory, options, List.of());
    return ReportWriter.render(rendering.result(), rendering.facts());
  }

  private record Rendering(AnalysisResult result, TrialFacts facts) {}

  private static Rendering analysed(
      Path directory, AnalysisOptions options, List<Threshold> added) {
    if (!Files.isDirectory(directory)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          directory
              + ": there is no such directory. Name one that terrace run or terrace analyze has"
              + " written.");
    }
    Observation observation = ObservationFiles.read(directory);
    AnalysisResult analysed = Analysis.analyze(observation, options);
    AnalysisResult result =
        analysed.withFindings(
            FindingDetails.added(
                analysed.findings(),
                observation,
                analysed.stretch().startNanos(),
                analysed.stretch().endNanos()));
    Path findings = directory.resolve(FindingsFile.NAME);
    if (Files.exists(findings)) {
      result = result.withFindings(kept(result.findings(), FindingsFile.read(findings), added));
    }
    TrialFacts known = facts(directory);
    TrialFacts facts =
        known == null
            ? TrialFacts.of(String.valueOf(directory.getFileName()), null, observation)
            : known.with(observation);
    return new Rendering(result, facts);
  }

  private static Findings kept(Findings fresh, Findings earlier, List<Threshold> added) {
    return new Findings(
        fresh.format(),
        earlier.capture(),
        fresh.window(),
        fresh.servers(),
        earlier.transactions(),
        fresh.clients(),
        earlier.validity(),
        earlier.claims(),
        earlier.study(),
        earlier.tables(),
        earlier.figures(),
        earlier.warnings(),
        judged(earlier.thresholds(), added, ResultMetrics.byName(fresh)),
        fresh.stallEpisodes(),
        fresh.users(),
        fresh.responses());
  }

  /** The earlier thresholds judged again and those that are new, each once. */
  private static List<Threshold.Judgement> judged(
      List<Threshold.Judgement> earlier, List<Threshold> added, Map<String, Double> figures) {
    return Stream.concat(
            earlier.stream().map(judgement -> Threshold.parse(judgement.condition())),
            added.stream())
        .distinct()
        .map(threshold -> threshold.judge(figures))
        .toList();
  }
}
