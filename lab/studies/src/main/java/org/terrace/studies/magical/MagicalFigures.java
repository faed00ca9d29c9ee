package org.terrace.studies.magical;

import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;

/** The source's Figures 3 to 6 with the figures measured here. */
final class MagicalFigures {
  private final Results results;

  MagicalFigures(Results results) {
    this.results = results;
  }

  List<Figure> all() {
    List<Figure> figures = new ArrayList<>();
    for (ApplicationResult each : results.all()) {
      figures.add(latencies(each));
      figures.add(scores(each));
    }
    figures.add(
        againstRate(
            "Figure 5a: size of outliers by request rate",
            Axis.linear("largest z-score", "sigma"),
            each -> each.tail().maxZ()));
    figures.add(
        againstRate(
            "Figure 5b: number of outliers by request rate",
            Axis.linear("outliers", "%"),
            each -> 100 * each.outlierShare()));
    // The halves of Figure 4 stand side by side if an even number of figures comes before.
    if (results.all().stream().anyMatch(each -> each.recovery().isPresent())) {
      figures.addAll(0, List.of(rates(), recovery()));
    } else {
      figures.add(rates());
    }
    return figures;
  }

  private Axis applications() {
    boolean once = results.all().size() == results.main().size();
    return Axis.of(
        "application",
        results.all().stream().map(each -> once ? each.subject().title() : each.label()).toList());
  }

  private Figure rates() {
    List<Point> points = new ArrayList<>();
    List<Point> published = new ArrayList<>();
    for (int i = 0; i < results.all().size(); i++) {
      ApplicationResult each = results.all().get(i);
      published.add(Point.of(i, each.subject().publishedRate()));
      for (Measurement measured : each.measurements()) {
        points.add(Point.of(i, measured.rate()));
      }
    }
    return new Figure(
        "Figure 3: request rates of the configurations",
        "Requests a second at P4, a point a configuration, beside the largest published rate.",
        applications(),
        Axis.logarithmic("request rate", "1/s"),
        List.of(
            new Series("configuration", Kind.POINTS, points),
            new Series("largest published", Kind.POINTS, published)),
        "");
  }

  private static List<Point> points(ApplicationResult result, ToDoubleFunction<Measurement> value) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < result.measurements().size(); i++) {
      points.add(Point.of(i + 1, value.applyAsDouble(result.measurements().get(i))));
    }
    return points;
  }

  private static Axis configurations() {
    return Axis.linear("configuration, by rising mean", "");
  }

  private Figure latencies(ApplicationResult result) {
    List<Point> percentile = new ArrayList<>();
    for (int i = 0; i < result.measurements().size(); i++) {
      Measurement each = result.measurements().get(i);
      Long low = each.tail().p99().lowNanos();
      Long high = each.tail().p99().highNanos();
      percentile.add(
          Point.of(
              i + 1,
              each.tail().p99().valueNanos() / 1e6,
              low == null ? Double.NaN : low / 1e6,
              high == null ? Double.NaN : high / 1e6));
    }
    return new Figure(
        "Figure 4, left: " + result.label(),
        "Mean, 99th percentile with its 99 % interval, and maximum of each configuration.",
        configurations(),
        Axis.logarithmic("latency", "ms"),
        List.of(
            new Series("mean", Kind.LINE, points(result, Measurement::meanMillis)),
            new Series("99th percentile", Kind.POINTS, percentile),
            new Series("maximum", Kind.POINTS, points(result, m -> m.tail().maxNanos() / 1e6))),
        "");
  }

  private Figure scores(ApplicationResult result) {
    List<Point> outliers = new ArrayList<>();
    List<Point> percentile = new ArrayList<>();
    long left = 0;
    for (int i = 0; i < result.measurements().size(); i++) {
      Measurement each = result.measurements().get(i);
      for (double z : each.outlierZ()) {
        outliers.add(Point.of(i + 1, z));
      }
      left += each.tail().sigmaOutliers().count() - each.outlierZ().size();
      percentile.add(Point.of(i + 1, each.tail().p99Z(), each.lowZ(), each.highZ()));
    }
    return new Figure(
        "Figure 4, right: " + result.label(),
        "z-scores of the outliers and of the 99th percentile with its 99 % interval, beside what no"
            + " z-score of as many calls can exceed.",
        configurations(),
        Axis.linear("z-score", "sigma"),
        List.of(
            new Series("outlier", Kind.POINTS, outliers),
            new Series("99th percentile", Kind.POINTS, percentile),
            new Series("ceiling", Kind.LINE, points(result, m -> m.tail().maxZCeiling()))),
        left == 0
            ? ""
            : text(
                "The largest %d outliers of a configuration are drawn; %,d smaller ones are not.",
                Measurement.OUTLIERS_KEPT, left));
  }

  private Figure againstRate(String title, Axis y, ToDoubleFunction<Measurement> value) {
    List<Series> series = new ArrayList<>();
    for (ApplicationResult each : results.all()) {
      series.add(
          new Series(
              each.label(),
              Kind.POINTS,
              each.measurements().stream()
                  .map(m -> Point.of(m.rate(), value.applyAsDouble(m)))
                  .toList()));
    }
    return new Figure(
        title, "A point a configuration.", Axis.logarithmic("request rate", "1/s"), y, series, "");
  }

  private Figure recovery() {
    String[] names = {"fault detection", "fail-over", "processing"};
    List<Series> series = new ArrayList<>();
    for (int part = 0; part < names.length; part++) {
      List<Point> bars = new ArrayList<>();
      for (int i = 0; i < results.all().size(); i++) {
        int at = i;
        int of = part;
        results
            .all()
            .get(i)
            .recovery()
            .ifPresent(found -> bars.add(Point.of(at, found.partsMillis()[of])));
      }
      series.add(new Series(names[part], Kind.STACKED_BARS, bars));
    }
    List<Point> largest = new ArrayList<>();
    for (int i = 0; i < results.all().size(); i++) {
      largest.add(Point.of(i, results.all().get(i).largestWithOneClientNanos() / 1e6));
    }
    series.add(new Series("largest without a fault, one client", Kind.POINTS, largest));
    return new Figure(
        "Figure 6: recovery time after a crash",
        "Parts of the calls that a crash delayed, means, beside the largest latency without a fault.",
        applications(),
        Axis.linear("time", "ms"),
        series,
        "");
  }
}
