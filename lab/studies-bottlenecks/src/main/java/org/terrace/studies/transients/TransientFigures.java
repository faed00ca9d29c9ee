package org.terrace.studies.transients;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.studies.design.MedianTime;
import org.terrace.studies.transients.WatchingCost.Way;

/** The paper's figures in shape, of what was measured here. */
final class TransientFigures {
  /** Pages slower than so many times the median at the lowest load count as slow. */
  static final double SLOW = 10;

  private static final String UNITS = "work units/s";
  private static final double NANOS = 1e6;
  private static final double BINS_A_DECADE = 10;

  private final TransientResults results;
  private final @Nullable Double databasePoint;

  TransientFigures(TransientResults results) {
    this.results = results;
    this.databasePoint = DatabasePoint.of(results).load();
  }

  List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    byLoad(figures);
    results
        .of(TransientSetting.GOVERNOR_MIDDLE)
        .ifPresent(run -> {
          figures.add(distribution(run));
          figures.add(utilisation(run));
        });
    results.of(TransientSetting.FASTEST_HIGH).ifPresent(run -> mainSequence(run, figures));
    collector(figures);
    governor(figures);
    figures.add(watching());
    return figures;
  }

  private void byLoad(List<Figure> figures) {
    List<TransientSetting> on =
        List.of(
            TransientSetting.GOVERNOR_LOW,
            TransientSetting.GOVERNOR_MIDDLE,
            TransientSetting.GOVERNOR_HIGH);
    List<TransientSetting> off =
        List.of(TransientSetting.FASTEST_MIDDLE, TransientSetting.FASTEST_HIGH);
    figures.add(
        new Figure(
            "Figure 2(a): throughput by load",
            "Pages a second by the number of users.",
            Axis.linear("users", ""),
            Axis.linear("throughput", "pages/s"),
            List.of(throughput("governor on", on), throughput("governor off", off)),
            ""));
    figures.add(
        new Figure(
            "Figure 2(a): response time by load",
            "Mean time of a page with its 95 % interval, by the number of users.",
            Axis.linear("users", ""),
            Axis.linear("response time", "ms"),
            List.of(responses("governor on", on), responses("governor off", off)),
            ""));
    double limit =
        results
            .of(TransientSetting.GOVERNOR_LOW)
            .map(run ->
                SLOW * MedianTime.millisOf(LongStream.of(run.latencyNanos()).sorted().toArray()))
            .orElse(Double.NaN);
    if (Double.isFinite(limit)) {
      figures.add(
          new Figure(
              "Figure 2(b): slow pages by load",
              "Share of pages that took longer than ten times the median at the lowest load, %.0f ms."
                  .formatted(limit),
              Axis.linear("users", ""),
              Axis.linear("slow pages", "%"),
              List.of(slow("governor on", on, limit), slow("governor off", off, limit)),
              ""));
    }
  }

  private Series throughput(String name, List<TransientSetting> settings) {
    return new Series(
        name,
        Kind.LINE,
        settings.stream()
            .flatMap(setting -> results.of(setting).stream())
            .map(run -> Point.of(run.users(), run.pagesPerSecond()))
            .toList());
  }

  private Series responses(String name, List<TransientSetting> settings) {
    List<Point> points = new ArrayList<>();
    for (TransientSetting setting : settings) {
      results
          .of(setting)
          .filter(run -> run.response().isKnown())
          .ifPresent(run -> {
            Estimate mean = run.response();
            points.add(Point.of(run.users(), mean.value(), mean.low(), mean.high()));
          });
    }
    return new Series(name, Kind.LINE, points);
  }

  private Series slow(String name, List<TransientSetting> settings, double limitMillis) {
    List<Point> points = new ArrayList<>();
    for (TransientSetting setting : settings) {
      results
          .of(setting)
          .filter(run -> run.latencyNanos().length > 0)
          .ifPresent(run -> {
            long[] nanos = run.latencyNanos();
            Estimate share = Estimate.share(nanos.length, i -> nanos[i] > limitMillis * NANOS);
            points.add(
                Point.of(run.users(), 100 * share.value(), 100 * share.low(), 100 * share.high()));
          });
    }
    return new Series(name, Kind.LINE, points);
  }

  private Figure distribution(TransientRun run) {
    List<Series> series = new ArrayList<>();
    series.add(histogram("governor on", run.latencyNanos()));
    results
        .of(TransientSetting.FASTEST_MIDDLE)
        .ifPresent(cured -> series.add(histogram("governor off", cured.latencyNanos())));
    return new Figure(
        "Figure 2(c): distribution of response times",
        "Pages by the time they took at the middle load, %d users.".formatted(run.users()),
        Axis.logarithmic("response time", "ms"),
        Axis.logarithmic("pages", ""),
        series,
        "Bins of a tenth of a decade; empty ones are left out.");
  }

  private static Series histogram(String name, long[] nanos) {
    TreeMap<Integer, Integer> bins = new TreeMap<>();
    for (long each : nanos) {
      int bin = (int) Math.floor(Math.log10(Math.max(1_000, each) / NANOS) * BINS_A_DECADE);
      bins.merge(bin, 1, Integer::sum);
    }
    List<Point> points = new ArrayList<>();
    bins.forEach((bin, count) ->
        points.add(Point.of(Math.pow(10, (bin + 0.5) / BINS_A_DECADE), (double) count)));
    return new Series(name, Kind.LINE, points);
  }

  private static Figure utilisation(TransientRun run) {
    List<String> names = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    for (TransientRun.Used used : run.used()) {
      names.add(used.server());
      values.add(Arrays.stream(used.bySecond()).map(value -> 100 * value).toArray());
    }
    return Drawn.timeline(
        "Figure 3: processor time at one second",
        "What each server used of the processor time it may use, at the middle load with the governor on.",
        "utilisation",
        "%",
        names,
        values,
        1_000);
  }

  private void mainSequence(TransientRun run, List<Figure> figures) {
    Windows paper = run.paperWindows();
    figures.add(
        Drawn.timeline(
            "Figure 5(a): load of the database",
            "Requests in progress, %d users, no governor.".formatted(run.users()),
            "load",
            "requests",
            List.of("database1"),
            List.of(paper.load()),
            paper.millis()));
    figures.add(
        Drawn.timeline(
            "Figure 5(b): throughput of the database",
            "Completed work in the same stretch.",
            "throughput",
            UNITS,
            List.of("database1"),
            List.of(Drawn.throughput(paper)),
            paper.millis()));
    figures.add(
        Drawn.scatter(
            "Figure 5(c): load against throughput",
            "Beyond N* throughput grows no more.",
            paper,
            databasePoint,
            UNITS));
    for (int millis : new int[] {20, 1_000}) {
      figures.add(
          Drawn.scatter(
              "Figure 8: the same in windows of " + (millis < 1_000 ? millis + " ms" : "1 s"),
              millis < Windows.PAPER_MILLIS
                  ? "Short windows blur the curve."
                  : "Long windows hide what is short.",
              run.windows().at(millis),
              databasePoint,
              UNITS));
    }
  }

  private void collector(List<Figure> figures) {
    results
        .of(TransientSetting.COLLECTOR_LOW)
        .ifPresent(run ->
            figures.add(
                Drawn.scatter(
                    "Figure 9(a): application server, low load",
                    "Stop-the-world collector, %d users.".formatted(run.users()),
                    run.paperWindows(),
                    null,
                    UNITS)));
    highLoad(figures);
    results
        .of(TransientSetting.COLLECTOR_CURED)
        .ifPresent(run ->
            figures.add(
                Drawn.scatter(
                    "Figure 11(a): application server, concurrent collector",
                    "The same load as in Figure 9(b).",
                    run.paperWindows(),
                    null,
                    UNITS)));
    response(
        "Figure 11(b): response time, concurrent collector",
        TransientSetting.COLLECTOR_CURED,
        figures);
    response(
        "Figure 11(c): response time, stop-the-world collector",
        TransientSetting.COLLECTOR_HIGH,
        figures);
  }

  private void highLoad(List<Figure> figures) {
    results
        .of(TransientSetting.COLLECTOR_HIGH)
        .ifPresent(run -> {
          Windows windows = run.paperWindows();
          figures.add(
              Drawn.scatter(
                  "Figure 9(b): application server, high load",
                  "Windows of high load and no throughput, at the lower right, are those in which the collector"
                      + " stops the server; %d users.".formatted(run.users()),
                  windows,
                  null,
                  UNITS));
          figures.add(
              Drawn.together(
                  "Figure 9(c): load and throughput over time",
                  "Where load peaks, throughput is at the ground.",
                  List.of("load", "throughput"),
                  List.of(windows.load(), Drawn.throughput(windows)),
                  windows.millis()));
          figures.add(
              Drawn.together(
                  "Figure 10(a): pauses and load",
                  "The part of each window spent in pauses, beside the load.",
                  List.of("time in pauses", "load"),
                  List.of(run.pausedShare(), windows.load()),
                  windows.millis()));
          figures.add(
              Drawn.together(
                  "Figure 10(b): load and response time",
                  "The load beside the mean time of the pages that end in each window.",
                  List.of("load", "response time"),
                  List.of(windows.load(), run.responseMillis()),
                  windows.millis()));
        });
  }

  private void response(String title, TransientSetting setting, List<Figure> figures) {
    results
        .of(setting)
        .ifPresent(run ->
            figures.add(
                Drawn.timeline(
                    title,
                    "Mean time of the pages that end in each window.",
                    "response time",
                    "ms",
                    List.of(setting.label()),
                    List.of(run.responseMillis()),
                    Windows.PAPER_MILLIS)));
  }

  private void governor(List<Figure> figures) {
    byClock("Figure 12(a)", TransientSetting.GOVERNOR_MIDDLE, figures);
    byClock("Figure 12(b)", TransientSetting.GOVERNOR_HIGH, figures);
    overTime("Figure 12(c)", TransientSetting.GOVERNOR_HIGH, figures);
    byClock("Figure 13(a)", TransientSetting.FASTEST_MIDDLE, figures);
    byClock("Figure 13(b)", TransientSetting.FASTEST_HIGH, figures);
    overTime("Figure 13(c)", TransientSetting.FASTEST_HIGH, figures);
  }

  private void byClock(String number, TransientSetting setting, List<Figure> figures) {
    results
        .of(setting)
        .ifPresent(run ->
            figures.add(
                Drawn.scatterByClock(
                    number + ": database, " + setting.label(),
                    "Load against throughput, %d users; %s."
                        .formatted(
                            run.users(),
                            setting.isCured()
                                ? "one clock, and one trend"
                                : "each clock has a trend of its own"),
                    run,
                    databasePoint,
                    UNITS)));
  }

  private void overTime(String number, TransientSetting setting, List<Figure> figures) {
    results
        .of(setting)
        .ifPresent(run -> {
          Windows windows = run.paperWindows();
          figures.add(
              Drawn.together(
                  number + ": database over time, " + setting.label(),
                  "Load and throughput, and the clock as a part of the fastest.",
                  List.of("load", "throughput", "clock"),
                  List.of(windows.load(), Drawn.throughput(windows), run.clock()),
                  windows.millis()));
        });
  }

  private Figure watching() {
    List<String> ways = new ArrayList<>();
    List<Point> own = new ArrayList<>();
    List<Point> machine = new ArrayList<>();
    for (Way way : Way.values()) {
      if (way != Way.NONE) {
        bar(results.watching().ownOf(way), ways.size(), own);
        bar(results.watching().machineOf(way), ways.size(), machine);
        ways.add(way.label());
      }
    }
    return new Figure(
        "The cost of watching",
        "Processor time beyond that of slots in which nobody watched, with its 95 % interval: packets"
            + " captured, or resources sampled at an interval.",
        Axis.of("way of watching", ways),
        Axis.linear("processor time", "% of a core"),
        List.of(
            new Series("of the watching process", Kind.BARS, own),
            new Series("of the whole machine", Kind.BARS, machine)),
        results.watching().obstacle());
  }

  private static void bar(Difference difference, int place, List<Point> bars) {
    if (difference.isKnown()) {
      bars.add(
          Point.of(
              place, 100 * difference.value(), 100 * difference.low(), 100 * difference.high()));
    }
  }
}
