package org.terrace.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.UserExperience;
import org.terrace.analysis.study.Validity;
import org.terrace.core.ErrorCode;
import org.terrace.details.CauseRanking;
import org.terrace.details.DelayRanking;
import org.terrace.report.FindingsFile;
import org.terrace.report.ReportWriter;
import picocli.CommandLine.Option;

/** The last lines of a command that analyses, and the exit code it earns. */
final class Outputs {
  @Option(names = "--json", description = "the findings as JSON on standard output")
  private boolean json;

  /** Whether the result was asked for as JSON. */
  boolean json() {
    return json;
  }

  /** Says what was found, for a person. */
  void tell(Console console, AnalysisResult result, Path directory) {
    Findings findings = result.findings();
    UserExperience users = findings.users();
    if (users != null && !users.sentence().isEmpty()) {
      console.headline(users.sentence());
    }
    console.headline(result.verdict().sentence());
    for (int i = 0; i < findings.servers().size(); i++) {
      ServerFindings server = findings.servers().get(i);
      if (findings.capture() == null && server.requests() == 0) {
        console.message("  %-12s not watched: no packets were captured", server.name());
        continue;
      }
      console.message(
          "  %-12s %,9d requests  %,9.1f/s  p50 %s  p99 %s  %s",
          server.name(),
          result.servers().get(i).completed(),
          server.requestsPerSecond(),
          millis(server.residenceMicros(), Findings.Latency::p50),
          millis(server.residenceMicros(), Findings.Latency::p99),
          congestion(server));
    }
    CauseRanking.of(findings)
        .forEach(ranking -> console.message("  causes: %s", ranking.sentence()));
    findings.servers().stream()
        .filter(server -> server.delays() != null)
        .forEach(server -> console.message("  delay: %s", DelayRanking.sentence(server)));
    Findings.Clients clients = findings.clients();
    if (clients != null) {
      console.message(
          "  %-12s %,9d pages, %,d errors  p50 %s  p99 %s",
          "clients",
          clients.requests(),
          clients.errors(),
          millis(clients.latencyMicros(), Findings.Latency::p50),
          millis(clients.latencyMicros(), Findings.Latency::p99));
    }
    console.message("Report: %s", directory.resolve(ReportWriter.NAME));
  }

  /**
   * Prints the findings where they were asked for, says which checks failed, and gives the exit
   * code.
   */
  int finish(Console console, Findings findings) {
    if (json) {
      System.out.print(FindingsFile.toJson(findings));
      System.out.flush();
    }
    List<Validity> failed = findings.validity().stream().filter(check -> !check.passed()).toList();
    failed.forEach(each -> console.failure("Not valid: " + each.check() + ": " + each.detail()));
    return failed.isEmpty() ? 0 : ErrorCode.CHECK_FAILED.exitCode();
  }

  /** A figure of times; a dash where nothing was answered. */
  private static String millis(Findings.Latency micros, ToDoubleFunction<Findings.Latency> figure) {
    return micros.hasValues()
        ? String.format(Locale.ROOT, "%7.1f ms", figure.applyAsDouble(micros) / 1_000)
        : "      –   ";
  }

  static String congestion(ServerFindings server) {
    CongestionPoint point = server.congestionPoint();
    List<CongestionEpisode> episodes =
        server.episodes().stream()
            .filter(episode -> episode.isOwn(CongestionEpisode.Kind.BEYOND))
            .toList();
    Double load = point.load();
    Double low = point.low();
    Double high = point.high();
    if (load == null || low == null || high == null) {
      return String.format(Locale.ROOT, "N* not known, highest load %.1f", point.maximumLoadSeen());
    }
    return String.format(
        Locale.ROOT,
        "N* %.1f (%.1f to %.1f), beyond it %d times for %.1f s",
        load,
        low,
        high,
        episodes.size(),
        episodes.stream().mapToDouble(CongestionEpisode::lengthMillis).sum() / 1e3);
  }
}
