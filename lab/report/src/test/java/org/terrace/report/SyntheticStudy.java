package org.terrace.report;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
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
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.testing.Seeds;

/** A study with every verdict and every kind of figure. */
final class SyntheticStudy {
  private static final List<String> STEPS =
      List.of("baseline", "notice", "profiles", "warmed", "pooled", "balanced", "trusted");

  private SyntheticStudy() {}

  static StudyFindings findings() {
    return new StudyFindings(
        new StudyDescription(
            "fail-over",
            "an example of a paper",
            "The fail-over ladder",
            "Each improvement made the next call faster. The last one made no difference.",
            List.of(
                new StudyDescription.Parameter("calls", "1,000", "10,000"),
                new StudyDescription.Parameter("heap", "64 MB", null)),
            List.of(
                new StudyDescription.Fact("cores", "2"), new StudyDescription.Fact("java", "25")),
            List.of("Kills are 2 s apart, not 17 s.", "All processes run on one machine.")),
        List.of(
            claim("first", Claim.Verdict.REPRODUCED, null),
            claim("second", Claim.Verdict.NOT_REPRODUCED, "at most 9.95 by arithmetic"),
            claim("third", Claim.Verdict.PARTLY, null),
            claim("fourth", Claim.Verdict.CANNOT_TELL, "at most 99.99 at n = 10,000")),
        List.of(
            new DataTable(
                "Table 1",
                List.of(Column.of("Step"), new Column("Gap", "ms"), new Column("Outliers", "%")),
                List.of(
                    List.of(Cell.of("baseline"), Cell.of(5_021, 4_990, 5_200), Cell.of(1.2)),
                    List.of(
                        Cell.of("warmed"),
                        Cell.of(3.4, 2.9, Double.POSITIVE_INFINITY),
                        Cell.of(Double.NaN))),
                "One row a step.")),
        figures(),
        List.of(new Validity("enough-calls", true, "1,000 calls; 528 are needed")));
  }

  private static Claim claim(String id, Claim.Verdict verdict, String bound) {
    return new Claim(
        id,
        "an example of a paper",
        "The " + id + " claim says that a figure stays below another one.",
        "below 12 ms",
        "8.4 ms (7.9 – 9.3)",
        verdict,
        "The whole interval lies on one side of the published figure.",
        bound);
  }

  private static List<Figure> figures() {
    RandomGenerator random = Seeds.generator(7);
    List<Point> cloud = new ArrayList<>();
    List<Point> bins = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      cloud.add(Point.of(i, 2 + Math.exp(random.nextGaussian())));
    }
    for (int i = 0; i < 30; i++) {
      bins.add(Point.bin(Math.pow(1.3, i), Math.pow(1.3, i + 1), 900 * Math.exp(-0.02 * i * i)));
    }
    return List.of(
        figure(
            "Gap by improvement",
            Axis.of("improvement", STEPS),
            Axis.logarithmic("gap", "ms"),
            new Series("crash", Kind.BARS, steps(5_000, true)),
            new Series("hang", Kind.BARS, steps(9_000, true))),
        figure(
            "Where the time goes",
            Axis.of("improvement", STEPS),
            Axis.linear("time", "ms"),
            new Series("detect", Kind.STACKED_BARS, steps(900, false)),
            new Series("resend", Kind.STACKED_BARS, steps(500, false)),
            new Series("reply", Kind.STACKED_BARS, steps(300, false))),
        figure(
            "Percentile by clients",
            Axis.linear("clients", ""),
            Axis.linear("p99", "us"),
            new Series("EJB", Kind.LINE, curve(30)),
            new Series("CORBA", Kind.LINE, curve(55)),
            new Series("runs", Kind.POINTS, curve(44))),
        figure(
            "Every call",
            Axis.linear("call", ""),
            Axis.logarithmic("latency", "ms"),
            new Series("calls", Kind.POINTS, cloud)),
        figure(
            "Latencies",
            Axis.logarithmic("latency", "ms"),
            Axis.linear("calls", ""),
            new Series("calls", Kind.HISTOGRAM, bins)),
        figure(
            "One fail-over",
            Axis.linear("time", "ms"),
            Axis.of("process", List.of("client", "primary", "backup")),
            new Series(
                "work",
                Kind.TIMELINE,
                List.of(
                    Point.span(0, 40, 0, "call"),
                    Point.span(5, 12, 1, "serves"),
                    Point.span(14, 38, 2, "serves again"))),
            new Series("fault", Kind.TIMELINE, List.of(Point.span(12, 12.2, 1, "killed")))));
  }

  private static Figure figure(String title, Axis x, Axis y, Series... series) {
    return new Figure(title, "How " + title + " looks.", x, y, List.of(series), "Invented data.");
  }

  private static List<Point> steps(double first, boolean interval) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < STEPS.size(); i++) {
      double value = first / Math.pow(3, i);
      points.add(interval ? Point.of(i, value, value * 0.7, value * 1.5) : Point.of(i, value));
    }
    return points;
  }

  private static List<Point> curve(double slope) {
    List<Point> points = new ArrayList<>();
    for (int clients = 1; clients <= 10; clients += 3) {
      double value = 200 + slope * clients;
      points.add(Point.of(clients, value, value - 60, value + 80));
    }
    return points;
  }
}
