package org.terrace.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.analysis.threshold.Threshold.Judgement;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.ResultMetrics;
import org.terrace.report.JUnitFile;
import picocli.CommandLine.Option;

/** The options of a command that can fail for what it found. Confined to one thread. */
final class Thresholds {
  @Option(
      names = "--fail-if",
      paramLabel = "CONDITION",
      description =
          "exit with 1 if a figure is beyond a limit, such as 'users p99 > 200ms'; repeatable")
  private List<String> conditions = List.of();

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "the checks and conditions as JUnit's XML, for a pipeline")
  private @Nullable Path junit;

  private List<Threshold> thresholds = List.of();

  /**
   * Reads the conditions, before any work is done.
   *
   * @param given those of the specification
   */
  void read(List<Threshold> given) {
    List<Threshold> all = new ArrayList<>(given);
    for (String condition : conditions) {
      try {
        all.add(Threshold.parse(condition));
      } catch (IllegalArgumentException e) {
        throw new TerraceException(ErrorCode.BAD_INPUT, "--fail-if: " + e.getMessage(), e);
      }
    }
    thresholds = List.copyOf(all);
  }

  /** Refuses to judge a study, whose claims are judged by itself. */
  void refuse() {
    if (!conditions.isEmpty() || junit != null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--fail-if and --junit are for experiments; a study has claims, a mesh has trials");
    }
  }

  /** The judgement of each condition. */
  List<Judgement> judgements(Findings findings) {
    Map<String, Double> figures = ResultMetrics.byName(findings);
    return thresholds.stream().map(threshold -> threshold.judge(figures)).toList();
  }

  /** Those of the specification and of the command line. */
  List<Threshold> all() {
    return thresholds;
  }

  /**
   * Says which of the conditions that findings were judged by have failed, and gives the exit code,
   * the worse of two.
   */
  int judge(Console console, String name, Findings findings, int exitCode) {
    List<Judgement> judgements = findings.thresholds();
    for (Judgement each : judgements) {
      if (each.failed()) {
        console.failure("Failed: " + each.condition() + ": " + each.detail());
      }
    }
    if (junit != null) {
      JUnitFile.write(junit, name, findings.validity(), judgements);
    }
    boolean failed = judgements.stream().anyMatch(Judgement::failed);
    return failed ? ErrorCode.CHECK_FAILED.exitCode() : exitCode;
  }
}
