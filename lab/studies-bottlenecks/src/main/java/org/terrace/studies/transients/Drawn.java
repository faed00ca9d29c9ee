package org.terrace.studies.transients;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;

/** The kinds of figures that the study has several of. Stateless. */
final class Drawn {
  /** The stretch that the paper's time lines show. */
  private static final double SECONDS = 12;

  private Drawn() {}

  /** Load against throughput, a point a window, with N* as a line. */
  static Figure scatter(
      String title, String caption, Windows windows, @Nullable Double point, String unit) {
    return scatter(title, caption, List.of(points("windows", windows)), windows, point, unit);
  }

  /** The same with the windows told apart by the server's clock. */
  static Figure scatterByClock(
      String title, String caption, TransientRun run, @Nullable Double point, String unit) {
    Windows windows = run.paperWindows();
    TreeMap<Double, List<Point>> byClock = new TreeMap<>();
    for (int i = 0; i < Math.min(windows.count(), run.clock().length); i++) {
      if (Double.isFinite(run.clock()[i])) {
        byClock
            .computeIfAbsent(run.clock()[i], _ -> new ArrayList<>())
            .add(Point.of(windows.load()[i], windows.throughput(i)));
      }
    }
    List<Series> series = new ArrayList<>();
    byClock.forEach((clock, points) ->
        series.add(new Series("%.0f %% of the clock".formatted(100 * clock), Kind.POINTS, points)));
    return scatter(title, caption, series, windows, point, unit);
  }

  private static Figure scatter(
      String title,
      String caption,
      List<Series> points,
      Windows windows,
      @Nullable Double congestion,
      String unit) {
    List<Series> series = new ArrayList<>(points);
    if (congestion != null) {
      double most = 0;
      for (int i = 0; i < windows.count(); i++) {
        most = Math.max(most, windows.throughput(i));
      }
      series.add(
          new Series(
              "N*",
              Kind.LINE,
              List.of(Point.of(congestion, 0), Point.of(congestion, Math.max(1, most)))));
    }
    return new Figure(
        title,
        caption,
        Axis.linear("load", "requests"),
        Axis.linear("throughput", unit),
        series,
        "%d windows of %d ms.".formatted(windows.count(), windows.millis()));
  }

  private static Series points(String name, Windows windows) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < windows.count(); i++) {
      points.add(Point.of(windows.load()[i], windows.throughput(i)));
    }
    return new Series(name, Kind.POINTS, points);
  }

  /** Series over time, each as a part of its own largest value, so that they can be compared. */
  static Figure together(
      String title, String caption, List<String> names, List<double[]> values, int millis) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      double most =
          Arrays.stream(values.get(i))
              .limit(shown(millis))
              .filter(Double::isFinite)
              .max()
              .orElse(1);
      series.add(line(names.get(i), values.get(i), millis, most > 0 ? most : 1));
    }
    return new Figure(
        title,
        caption,
        Axis.linear("time", "s"),
        Axis.linear("part of its largest", ""),
        series,
        "Windows of %d ms.".formatted(millis));
  }

  /** One quantity over time, for one or several runs. */
  static Figure timeline(
      String title,
      String caption,
      String quantity,
      String unit,
      List<String> names,
      List<double[]> values,
      int millis) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      series.add(line(names.get(i), values.get(i), millis, 1));
    }
    return new Figure(
        title,
        caption,
        Axis.linear("time", "s"),
        Axis.linear(quantity, unit),
        series,
        "Windows of %d ms.".formatted(millis));
  }

  private static int shown(int millis) {
    return (int) Math.round(SECONDS * 1_000 / millis);
  }

  private static Series line(String name, double[] values, int millis, double unit) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < Math.min(values.length, shown(millis)); i++) {
      if (Double.isFinite(values[i])) {
        points.add(Point.of((i + 0.5) * millis / 1_000, values[i] / unit));
      }
    }
    return new Series(name, Kind.LINE, points);
  }

  /** The throughput of each window. */
  static double[] throughput(Windows windows) {
    double[] throughput = new double[windows.count()];
    Arrays.setAll(throughput, windows::throughput);
    return throughput;
  }
}
