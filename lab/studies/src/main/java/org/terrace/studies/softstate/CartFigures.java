package org.terrace.studies.softstate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.analysis.tail.OrderStatistics;
import org.terrace.analysis.tail.PercentileInterval;
import org.terrace.studies.design.Ledger;

/** Figures 4 and 5 and their numbers. */
final class CartFigures {
  private static final double MEDIAN = 50;
  private static final double CONFIDENCE = 0.95;

  private final SoftStateResults results;

  CartFigures(SoftStateResults results) {
    this.results = results;
  }

  List<Figure> figures() {
    return List.of(latency(), breakdown(), stale());
  }

  List<DataTable> tables() {
    return List.of(numbers(), crashes());
  }

  private Figure latency() {
    List<Series> series = new ArrayList<>();
    for (Store store : results.parameters().stores()) {
      series.add(
          new Series(
              store.label(),
              Kind.LINE,
              results.over(store).stream()
                  .map(run ->
                      Point.of(
                          run.clients(),
                          run.calls().mean(),
                          run.calls().meanLow(),
                          run.calls().meanHigh()))
                  .toList()));
    }
    return new Figure(
        "Figure 4: latency by number of clients",
        "Mean latency of all calls with its 95 % interval; half of them are reads.",
        Axis.logarithmic("clients", ""),
        Axis.logarithmic("latency", "ms"),
        series,
        "");
  }

  private Figure breakdown() {
    List<Series> series = new ArrayList<>();
    for (Store store : results.parameters().stores()) {
      List<Point> points = new ArrayList<>();
      for (CartRun run : results.over(store)) {
        long[] sorted = run.data().updateNanos();
        if (sorted.length > 0) {
          PercentileInterval median = interval(sorted);
          points.add(
              Point.of(run.clients(), millis(median.valueNanos()), low(median), high(median)));
        }
      }
      series.add(new Series(store.label(), Kind.LINE, points));
    }
    return new Figure(
        "Figure 4, breakdown: time of an update with the data",
        "Median of a sample at the servers, with its 95 % interval by order statistics: with a"
            + " connection in hand, or at each replica of Terrace.",
        Axis.logarithmic("clients", ""),
        Axis.logarithmic("time with the data", "ms"),
        series,
        "");
  }

  private static PercentileInterval interval(long[] sorted) {
    return OrderStatistics.interval(sorted, MEDIAN, CONFIDENCE);
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private static double low(PercentileInterval interval) {
    Long nanos = interval.lowNanos();
    return nanos == null ? Double.NaN : millis(nanos);
  }

  private static double high(PercentileInterval interval) {
    Long nanos = interval.highNanos();
    return nanos == null ? Double.NaN : millis(nanos);
  }

  private Figure stale() {
    StalenessRun.Result result = results.staleness();
    return new Figure(
        "Figure 5: stale reads around an overload",
        "Stale reads in bins of %d s; rogue clients overload three of six replicas from %.1f s to %.1f s."
            .formatted(result.binSeconds(), result.attackFrom(), result.attackTo()),
        Axis.linear("time", "s"),
        Axis.linear("stale reads", ""),
        List.of(
            bins("reads from the victims", result.victims(), result.binSeconds()),
            bins("reads from the fastest replicas", result.adaptive(), result.binSeconds())),
        "The stream of updates ends with the overload.");
  }

  private static Series bins(String name, StalenessRun.Reads reads, int seconds) {
    List<Point> points = new ArrayList<>();
    for (int bin = 0; bin < reads.stale().length; bin++) {
      points.add(Point.of((bin + 0.5) * seconds, (double) reads.stale()[bin]));
    }
    return new Series(name, Kind.LINE, points);
  }

  private DataTable numbers() {
    List<Column> columns =
        List.of(
            Column.of("store"),
            Column.of("clients"),
            Column.of("calls"),
            new Column("rate", "/s"),
            new Column("mean", "ms"),
            new Column("p50", "ms"),
            new Column("p99", "ms"),
            new Column("update with the data, p50", "ms"),
            new Column("read with the data, p50", "ms"),
            Column.of("failed"),
            Column.of("missing"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CartRun run : results.cart()) {
      Latency calls = run.calls();
      rows.add(
          List.of(
              Cell.of(run.store().label()),
              Cell.of(run.clients()),
              Cell.of(calls.count()),
              Cell.of(calls.perSecond()),
              Cell.of(calls.mean(), calls.meanLow(), calls.meanHigh()),
              Cell.of(calls.p50(), calls.p50Low(), calls.p50High()),
              Cell.of(calls.p99(), calls.p99Low(), calls.p99High()),
              median(run.data().updateNanos()),
              median(run.data().readNanos()),
              Cell.of((double) run.failed()),
              Cell.of((double) run.missing())));
    }
    return new DataTable(
        "Figure 4 in numbers",
        columns,
        rows,
        "Intervals of 95 % confidence: of means by standard error, of quantiles by order statistics."
            + " Calls of a closed loop are not independent, so true intervals are somewhat wider.");
  }

  private static Cell median(long[] sorted) {
    if (sorted.length == 0) {
      return Cell.of("no sample");
    }
    PercentileInterval median = interval(sorted);
    return Cell.of(millis(median.valueNanos()), low(median), high(median));
  }

  private DataTable crashes() {
    CrashRun.Result crash = results.crash();
    StalenessRun.Result staleness = results.staleness();
    List<List<Cell>> rows = new ArrayList<>();
    rows.add(
        List.of(
            Cell.of("replicas killed under load, " + crash.kills()),
            Cell.of(crash.calls().count()),
            Cell.of(crash.calls().mean(), crash.calls().meanLow(), crash.calls().meanHigh()),
            Cell.of(crash.calls().p99(), crash.calls().p99Low(), crash.calls().p99High()),
            Cell.of((double) crash.failed()),
            Cell.of(0)));
    rows.add(row("overload, reads from the victims", staleness.victims()));
    rows.add(row("overload, reads from the fastest", staleness.adaptive()));
    return new DataTable(
        "Crashes and overload",
        List.of(
            Column.of("run"),
            Column.of("calls"),
            new Column("mean", "ms"),
            new Column("p99", "ms"),
            Column.of("failed"),
            Column.of("stale")),
        rows,
        "Times until the survivors expelled each dead replica: "
            + Arrays.stream(crash.expelledNanos())
                .mapToObj(nanos -> Ledger.text("%.2f s", nanos / 1e9))
                .toList());
  }

  private static List<Cell> row(String name, StalenessRun.Reads reads) {
    Latency latency = reads.latency();
    return List.of(
        Cell.of(name),
        Cell.of(latency.count()),
        Cell.of(latency.mean(), latency.meanLow(), latency.meanHigh()),
        Cell.of(latency.p99(), latency.p99Low(), latency.p99High()),
        Cell.of((double) LongStream.of(reads.failed()).sum()),
        Cell.of((double) LongStream.of(reads.stale()).sum()));
  }
}
