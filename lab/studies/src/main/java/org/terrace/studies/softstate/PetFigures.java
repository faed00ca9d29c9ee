package org.terrace.studies.softstate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.studies.softstate.PetRun.Spread;

/** Figures 6 to 8 and their numbers. */
final class PetFigures {
  private static final int BIN_MILLIS = 10;

  private final SoftStateResults results;

  PetFigures(SoftStateResults results) {
    this.results = results;
  }

  List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    figures.add(services());
    results.pages(7).forEach(run -> figures.add(histogram(run)));
    figures.add(pages());
    return figures;
  }

  private static Point point(double x, Latency latency) {
    return Point.of(
        x,
        latency.mean(),
        latency.mean() - latency.standardError(),
        latency.mean() + latency.standardError());
  }

  private Figure services() {
    List<Series> series = new ArrayList<>();
    for (String service : PetRuns.SERVICES) {
      series.add(
          new Series(
              service,
              Kind.LINE,
              results
                  .pages(6)
                  .filter(run -> run.service().equals(service))
                  .map(run -> point(run.replicas(), run.pages()))
                  .toList()));
    }
    return new Figure(
        "Figure 6: latency of each service by replicas",
        "Mean with its standard error; two front ends, one call each 40 ms, half of them reads.",
        Axis.linear("replicas", ""),
        Axis.logarithmic("latency", "ms"),
        series,
        "Every replica runs every update, here on the same processors.");
  }

  private static Figure histogram(PetRun run) {
    List<Point> bins = new ArrayList<>();
    int last = 0;
    for (int bin = 0; bin < run.histogram().length; bin++) {
      last = run.histogram()[bin] > 0 ? bin : last;
    }
    for (int bin = 0; bin <= last; bin++) {
      bins.add(
          Point.bin(
              (double) bin * BIN_MILLIS, (bin + 1.0) * BIN_MILLIS, (double) run.histogram()[bin]));
    }
    return new Figure(
        "Figure 7: response times of pages of seven services, replicas: " + run.replicas(),
        "Pages in bins of 10 ms, k = 2; n = %,d.".formatted(run.pages().count()),
        Axis.linear("response time", "ms"),
        Axis.linear("pages", ""),
        List.of(new Series("pages", Kind.HISTOGRAM, bins)),
        "The last bin holds all that took longer.");
  }

  private Figure pages() {
    Set<Spread> spreads = new LinkedHashSet<>();
    results.pages(8).forEach(run -> spreads.add(run.configuration()));
    List<Series> series = new ArrayList<>();
    for (Spread spread : spreads) {
      series.add(
          new Series(
              spread.label(),
              Kind.LINE,
              results
                  .pages(8)
                  .filter(run -> run.configuration().equals(spread))
                  .map(run -> point(run.servicesAPage(), run.pages()))
                  .toList()));
    }
    return new Figure(
        "Figure 8: response times by services a page",
        "Mean of all pages with its standard error, for ways to spread reads over "
            + results.parameters().petStore()
            + " replicas.",
        Axis.linear("services a page", ""),
        Axis.linear("response time", "ms"),
        series,
        "");
  }

  List<DataTable> tables() {
    List<List<Cell>> rows = new ArrayList<>();
    for (PetRun run : results.pages()) {
      rows.add(
          List.of(
              Cell.of("figure " + run.figure()),
              Cell.of(run.service()),
              Cell.of(run.replicas()),
              Cell.of(run.configuration().label()),
              Cell.of(run.servicesAPage()),
              Cell.of(run.pages().count()),
              mean(run.pages()),
              mean(run.readPages()),
              Cell.of(run.pages().p99(), run.pages().p99Low(), run.pages().p99High()),
              Cell.of((double) run.failed())));
    }
    return List.of(
        new DataTable(
            "Figures 6 to 8 in numbers",
            List.of(
                Column.of("figure"),
                Column.of("service"),
                Column.of("replicas"),
                Column.of("reads"),
                Column.of("services a page"),
                Column.of("pages"),
                new Column("mean", "ms"),
                new Column("mean of pages that read", "ms"),
                new Column("p99", "ms"),
                Column.of("failed")),
            rows,
            "Intervals of 95 % confidence: of means by standard error, of quantiles by order"
                + " statistics."));
  }

  private static Cell mean(Latency latency) {
    return Cell.of(latency.mean(), latency.meanLow(), latency.meanHigh());
  }
}
