package org.terrace.dashboard.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.dashboard.results.Catalogue.Mark;
import org.terrace.dashboard.results.ResultSummary.KeyFigure;
import org.terrace.dashboard.results.ResultSummary.Kind;
import org.terrace.dashboard.results.ResultSummary.State;
import org.terrace.experiment.progress.ProgressReader;
import org.terrace.experiment.progress.RunProgress;
import org.terrace.report.page.Quantity;

/** Reads what a list shows of a result. Stateless and thread-safe. */
final class SummaryReader {
  private static final double NANOS_A_MILLI = 1e6;
  private static final String INTERRUPTED = "interrupted, or ended by a failure";

  /** A result that has not been looked into. */
  static ResultSummary unread(ResultPlace place, long millis) {
    return new ResultSummary(place, Kind.EXPERIMENT, State.UNREAD, "", millis, List.of());
  }

  ResultSummary read(ResultPlace place, Mark mark) {
    try {
      Optional<RunProgress> progress = ProgressReader.of(place.directory());
      if (progress.isPresent() && progress.get().isRunning()) {
        return running(place, progress.get());
      }
      if (mark.bytes() > ServedDirectory.MOST_BYTES) {
        throw new IOException("it has more than " + ServedDirectory.MOST_BYTES + " bytes");
      }
      return switch (mark.name()) {
        case Mark.MESH -> mesh(place, mark, progress);
        case Mark.FINDINGS -> findings(place, mark, progress);
        default ->
            new ResultSummary(
                place,
                progress.map(SummaryReader::kind).orElse(Kind.EXPERIMENT),
                State.FAILED,
                progress.map(each -> lastWords(each)).orElse(INTERRUPTED),
                mark.millis(),
                List.of());
      };
    } catch (IOException | RuntimeException e) {
      return new ResultSummary(
          place,
          mark.name().equals(Mark.MESH) ? Kind.MESH : Kind.EXPERIMENT,
          State.FAILED,
          mark.name() + " cannot be read: " + e.getMessage(),
          mark.millis(),
          List.of());
    }
  }

  private static String lastWords(RunProgress progress) {
    return progress.phase().isEmpty() ? INTERRUPTED : INTERRUPTED + " while " + progress.phase();
  }

  private static Kind kind(RunProgress progress) {
    return switch (progress.kind()) {
      case "mesh" -> Kind.MESH;
      case "study" -> Kind.STUDY;
      default -> Kind.EXPERIMENT;
    };
  }

  private static ResultSummary running(ResultPlace place, RunProgress progress) {
    List<KeyFigure> figures = new ArrayList<>();
    RunProgress.CurrentTrial trial = progress.trial();
    if (trial != null) {
      figures.add(new KeyFigure("trial", trial.number() + " of " + trial.trials()));
    }
    progress
        .last()
        .ifPresent(second -> {
          figures.add(new KeyFigure("users", Quantity.count(second.users())));
          figures.add(new KeyFigure("pages", Quantity.perSecond(second.requestsPerSecond())));
          figures.add(
              new KeyFigure("p99", second.isTimed() ? Quantity.micros(second.p99Micros()) : "–"));
        });
    return new ResultSummary(
        place,
        kind(progress),
        State.RUNNING,
        progress.phase(),
        Math.round(progress.startNanos() / NANOS_A_MILLI),
        figures);
  }

  private static ResultSummary findings(
      ResultPlace place, Mark mark, Optional<RunProgress> progress) throws IOException {
    FindingsSummary summary = FindingsSummary.read(place.directory().resolve(Mark.FINDINGS));
    Path specification = place.directory().resolve("specification.yaml");
    Kind kind =
        summary.hasStudy()
            ? Kind.STUDY
            : Files.exists(specification) ? Kind.EXPERIMENT : Kind.ANALYSIS;
    List<String> reasons = new ArrayList<>();
    if (!summary.failures().isEmpty()) {
      reasons.add("failed: " + String.join(", ", summary.failures()));
    }
    // A study goes on in its place: what lies there then is of an earlier run of it.
    progress
        .filter(each -> summary.hasStudy() && !each.whole())
        .ifPresent(each -> reasons.add(lastWords(each)));
    return new ResultSummary(
        place,
        kind,
        reasons.isEmpty() ? State.COMPLETE : State.FAILED,
        String.join("; ", reasons),
        mark.millis(),
        summary.figures());
  }

  private static ResultSummary mesh(ResultPlace place, Mark mark, Optional<RunProgress> progress)
      throws IOException {
    MeshCounts counts = MeshCounts.read(place.directory().resolve(Mark.MESH));
    // Killed after its last trial, a command has judged no condition: it came to no end either.
    boolean killed = progress.isPresent() && !progress.get().whole();
    List<String> reasons = new ArrayList<>();
    if (counts.toTryAgain() > 0) {
      reasons.add(Quantity.count(counts.toTryAgain(), "trial") + " failed");
    }
    if (counts.failedConditions() > 0) {
      reasons.add(
          Quantity.count(counts.failedConditions(), "condition")
              + " of fail-if failed: "
              + counts.firstCondition());
    }
    if (!counts.over() || killed) {
      reasons.add(progress.map(each -> lastWords(each)).orElse("not all trials have been run"));
    }
    String reason = String.join("; ", reasons);
    return new ResultSummary(
        place,
        Kind.MESH,
        reason.isEmpty() ? State.COMPLETE : State.FAILED,
        reason,
        mark.millis(),
        List.of(
            new KeyFigure(
                "trials",
                Quantity.count(counts.done()) + " of " + Quantity.count(counts.all()) + " done")));
  }
}
