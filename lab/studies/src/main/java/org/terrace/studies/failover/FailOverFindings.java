package org.terrace.studies.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.StudyDescription.Parameter;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.studies.design.MachineOfStudy;
import org.terrace.studies.design.MedianTime;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.failover.Step.Calls;
import org.terrace.studies.services.FaultedCall;
import org.terrace.studies.services.SevenPrograms;

/** Turns what the steps saw into tables, figures and the ledger. */
final class FailOverFindings {
  private record Part(String name, ToLongFunction<FaultedCall> nanos) {}

  private static final List<Part> PARTS =
      List.of(
          new Part("fault detection", FaultedCall::detectNanos),
          new Part("waiting for a primary", FaultedCall::waitNanos),
          new Part("naming service", FaultedCall::namingNanos),
          new Part("connecting", FaultedCall::connectNanos),
          new Part("session restoration", FaultedCall::restoreNanos),
          new Part("server and middleware", FaultedCall::replyNanos),
          new Part("all else", FaultedCall::otherNanos));

  private final StudyContext context;
  private final List<StepResult> results;
  private final Duration think;
  private final int replyBytes;
  private final Optional<String> obstacleToCuts;

  FailOverFindings(
      StudyContext context,
      List<StepResult> results,
      Duration think,
      int replyBytes,
      Optional<String> obstacleToCuts) {
    this.context = context;
    this.results = results;
    this.think = think;
    this.replyBytes = replyBytes;
    this.obstacleToCuts = obstacleToCuts;
  }

  StudyFindings toStudyFindings() {
    List<Claim> claims = new FailOverClaims(context.study(), results, obstacleToCuts).judge();
    return new StudyFindings(
        study(),
        claims,
        List.of(ladder(), breakdown()),
        List.of(timeline(), parts(), ladderFigure()),
        validity());
  }

  private StudyDescription study() {
    StepResult first = results.getFirst();
    StepResult best = results.get(6);
    String summary =
        String.format(
            Locale.ROOT,
            "With all six improvements a crash delays one call by %.2f ms in the median (n = %d), instead"
                + " of %,.0f ms (n = %d).",
            MedianTime.millisOf(best.delays()),
            best.delays().length,
            MedianTime.millisOf(first.delays()),
            first.delays().length);
    return new StudyDescription(
        context.study().name(),
        context.study().paper(),
        "Fail-over taken apart",
        summary,
        parameters(first),
        MachineOfStudy.facts(),
        deviations());
  }

  private List<Parameter> parameters(StepResult first) {
    StepResult last = results.getLast();
    return List.of(
        new Parameter(
            "faults a step",
            first.step().faults()
                + "; "
                + last.step().faults()
                + " with all improvements, and where updates are called",
            "20"),
        new Parameter("calls of getLots, all steps", calls(Calls.READS), "10,000"),
        new Parameter("calls of enter and leave, all steps", calls(Calls.UPDATES), "none"),
        new Parameter("reply", replyBytes + " bytes", "256 bytes"),
        new Parameter("clients", "1", "1"),
        new Parameter("servers", "2, warm passive", "2, warm passive"),
        new Parameter("JVMs of servers and clients", SevenPrograms.flags(), null),
        new Parameter("time between calls", think.toMillis() + " ms", "20 ms"),
        new Parameter(
            "time between kills",
            first.step().interval().toMillis() / 1_000.0
                + " s; "
                + results.get(1).step().interval().toMillis() / 1_000.0
                + " s with prompt notice (improvement 1) and more",
            "17 s"));
  }

  private String calls(Calls which) {
    return String.format(
        Locale.ROOT,
        "%,d",
        results.stream()
            .filter(result -> result.step().calls() == which)
            .mapToInt(result -> result.probes().rows().size())
            .sum());
  }

  private List<String> deviations() {
    List<String> said = new ArrayList<>();
    if (!context.full()) {
      said.add("A short run: fewer kills, closer together, than published; --full repeats all.");
    }
    said.add("All processes share one machine and its loopback network; the source had a cluster.");
    said.add(
        "The database is PostgreSQL and the middleware Terrace's own transport, where the source"
            + " had MySQL and CORBA.");
    said.add(
        "Without prompt notice (improvement 1) the manager learns of a crash by missed heartbeats"
            + " alone, which takes 0.4 s or more, and the client asks the naming service; the"
            + " source does not tell its detector's period. With it the end of a process or"
            + " connection counts at once, which takes milliseconds, and the client is told of the new primary.");
    said.add(
        obstacleToCuts
            .map(why -> "A cut of the network is not struck: " + why + ".")
            .orElse(
                "A cut of the network drops all packets of the primary's process, which runs on; the"
                    + " manager ends it when it has declared it failed, and nobody sees that end."));
    return said;
  }

  private List<Validity> validity() {
    List<Validity> checks = new ArrayList<>();
    int planned = results.stream().mapToInt(result -> result.step().faults()).sum();
    int struck = results.stream().mapToInt(result -> result.faults().size()).sum();
    checks.add(
        new Validity(
            "faults-happened", planned == struck, struck + " of " + planned + " faults happened"));
    List<String> damaged =
        results.stream()
            .filter(result -> !result.effects().invariantsHold())
            .map(result -> result.step().name())
            .toList();
    checks.add(
        new Validity(
            "invariants-hold",
            damaged.isEmpty(),
            damaged.isEmpty()
                ? "the data of Park'n Park are whole after each step"
                : "the data of Park'n Park are damaged after "
                    + String.join(", ", damaged)
                    + ": see the logs of their checks"));
    return checks;
  }

  private DataTable ladder() {
    List<Column> columns =
        List.of(
            Column.of("improvements"),
            Column.of("calls"),
            Column.of("fault"),
            new Column("faults", ""),
            new Column("delay, median (least to largest)", "ms"),
            new Column("other calls, median", "ms"),
            new Column("redundancy back, median (least to largest)", "ms"),
            Column.of("no reply"),
            Column.of("updates acknowledged"),
            Column.of("effects missing"),
            Column.of("effects too many"));
    List<List<Cell>> rows = new ArrayList<>();
    for (StepResult result : results) {
      rows.add(
          List.of(
              Cell.of(result.step().label()),
              Cell.of(result.step().calls().toString()),
              Cell.of(result.step().fault().toString()),
              Cell.of(result.faults().size()),
              spread(result.delays()),
              Cell.of(MedianTime.millisOf(result.otherLatencies())),
              spread(result.restorations()),
              Cell.of(result.unanswered()),
              Cell.of((double) result.effects().acknowledged()),
              Cell.of((double) result.effects().missing()),
              Cell.of((double) result.effects().tooMany())));
    }
    return new DataTable(
        "Delay of a call by a fault, and time until two replicas stand again",
        columns,
        rows,
        "Each row with a + adds an improvement to those of the rows above: "
            + Improvement.legend()
            + ". The numbers are the source's. The rows after them have all six. The delay is the"
            + " latency of the call that a fault delayed most. The range is that of all faults of"
            + " the step, not an interval of confidence, which the claims have. Effects are counted in"
            + " the database when the step's replicas have ended.");
  }

  private static Cell spread(long[] sorted) {
    return Cell.of(
        MedianTime.millisOf(sorted),
        StepResult.minimumMillis(sorted),
        StepResult.maximumMillis(sorted));
  }

  private static double meanMillis(StepResult result, Part part) {
    return result.breakdowns().stream().mapToLong(part.nanos).average().orElse(0) / 1e6;
  }

  private DataTable breakdown() {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("improvements"));
    columns.add(Column.of("delayed calls logged"));
    PARTS.forEach(part -> columns.add(new Column(part.name, "ms")));
    List<List<Cell>> rows = new ArrayList<>();
    for (StepResult result : results) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.of(result.step().label()));
      row.add(Cell.of(result.breakdowns().size()));
      PARTS.forEach(part -> row.add(Cell.of(meanMillis(result, part))));
      rows.add(row);
    }
    return new DataTable(
        "Figure 2 in numbers: where the delayed calls' time went, mean",
        columns,
        rows,
        "A call that was issued after the fault had been noticed took one attempt and has no parts.");
  }

  private Figure timeline() {
    StepResult first = results.getFirst();
    List<Point> points = new ArrayList<>();
    for (int row = 0; row < first.probes().rows().size(); row++) {
      points.add(Point.of(row + 1, Math.max(first.length(row) / 1e6, 1e-3)));
    }
    List<Point> worst = new ArrayList<>();
    for (int row : first.worstRows()) {
      worst.add(Point.of(row + 1, Math.max(first.length(row) / 1e6, 1e-3)));
    }
    return new Figure(
        "Figure 1: latency of each call with faults injected, as published",
        "Every call of getLots in order; those that a kill delayed are set off.",
        Axis.linear("call", ""),
        Axis.logarithmic("latency", "ms"),
        List.of(
            new Series("call", Kind.POINTS, points),
            new Series("delayed by a kill", Kind.POINTS, worst)),
        "");
  }

  private static Axis configurations(List<StepResult> shown) {
    return Axis.of("improvements", shown.stream().map(result -> result.step().label()).toList());
  }

  private Figure parts() {
    List<Series> series = new ArrayList<>();
    for (Part part : PARTS) {
      List<Point> points = new ArrayList<>();
      for (int step = 0; step < results.size(); step++) {
        points.add(Point.of(step, share(results.get(step), part)));
      }
      series.add(new Series(part.name, Kind.STACKED_BARS, points));
    }
    return new Figure(
        "Figure 2, after each improvement: shares of the delayed calls' time",
        "One bar a configuration: none of the improvements, then each added to those before it; then"
            + " all with a spare replica, with a hang and with a cut of the network instead of a crash;"
            + " then updates instead of reads, at last in active style. Where no call needed a second attempt there is no bar.",
        configurations(results),
        Axis.linear("share of the time", "%"),
        series,
        "");
  }

  private static double share(StepResult result, Part part) {
    double all = PARTS.stream().mapToDouble(each -> meanMillis(result, each)).sum();
    return all == 0 ? 0 : 100 * meanMillis(result, part) / all;
  }

  private Figure ladderFigure() {
    List<Point> points = new ArrayList<>();
    for (int step = 0; step < results.size(); step++) {
      long[] delays = results.get(step).delays();
      if (delays.length > 0) {
        points.add(
            Point.of(
                step,
                MedianTime.millisOf(delays),
                StepResult.minimumMillis(delays),
                StepResult.maximumMillis(delays)));
      }
    }
    return new Figure(
        "The ladder: delay of a call by a fault after each improvement",
        "Median of the faults of a step, with whiskers from the least to the largest.",
        configurations(results),
        Axis.logarithmic("delay", "ms"),
        List.of(new Series("delay", Kind.POINTS, points)),
        "");
  }
}
