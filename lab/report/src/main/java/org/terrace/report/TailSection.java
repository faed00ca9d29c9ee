package org.terrace.report;

import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TailFindings;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The tail of what the clients saw, with the arithmetic that bounds its figures beside them. */
final class TailSection {
  private TailSection() {}

  static void write(Content content, Markup page) {
    Findings.Clients clients = content.result().findings().clients();
    TailFindings tail = clients == null ? null : clients.tail();
    if (tail == null) {
      return;
    }
    page.open("section", "id", "tail").open("details");
    page.open("summary").leaf("h2", "The tail").text(" for readers of studies").close();
    Tables.open(page, "Figure", "#Measured", "Interval or bound", "What it says");
    TailFindings.Percentile p99 = tail.p99Micros();
    row(
        page,
        "99th percentile",
        Quantity.micros(p99.value()),
        interval(p99),
        p99.detail()
            + (p99.blockLength() > 1
                ? "; widened because slow answers come together, in blocks of " + p99.blockLength()
                : ""));
    row(
        page,
        "Outliers beyond mean + 3 sigma",
        Quantity.percent(tail.outlierShare()),
        "at most 10 % by arithmetic",
        "sigma grows with the outliers it judges");
    row(
        page,
        "Outliers beyond median + 10 deviations",
        Quantity.percent(tail.medianOutlierShare()),
        "",
        "the median absolute deviation does not grow with them");
    row(
        page,
        "z-score of the longest",
        Quantity.number(tail.maxZ()),
        "at most " + Quantity.number(tail.maxZCeiling()) + " for " + Quantity.count(tail.count()),
        "(n-1)/√n: near its ceiling it tells the number of requests");
    row(
        page,
        "z-score of the 99th percentile",
        Quantity.number(tail.p99Z()),
        "at most " + Quantity.number(tail.p99ZCeiling()) + " for any distribution",
        "one-sided Chebyshev");
    row(page, "99th percentile over mean", Quantity.number(tail.p99OverMean()), "at most 100", "");
    row(page, "99.9th percentile over median", Quantity.number(tail.p999OverP50()), "", "");
    row(page, "Longest over median", Quantity.number(tail.maxOverP50()), "", "");
    shape(tail, page);
    Tables.close(page);
    page.close().close();
  }

  private static void shape(TailFindings tail, Markup page) {
    TailFindings.Shape shape = tail.shape();
    if (shape == null) {
      row(page, "Shape of the tail", "–", "", "too few answers to fit a tail");
      return;
    }
    row(
        page,
        "Shape of the tail",
        Quantity.number(shape.value()),
        Quantity.number(shape.low()) + " – " + Quantity.number(shape.high()) + " (95 %)",
        shape.verdict()
            + "; generalised Pareto beyond p"
            + Quantity.number(shape.thresholdPercentile())
            + ", "
            + Quantity.count(shape.exceedances(), "answer"));
  }

  private static String interval(TailFindings.Percentile p99) {
    Double low = p99.low();
    Double high = p99.high();
    return (low == null ? "open" : Quantity.micros(low))
        + " – "
        + (high == null ? "no finite bound" : Quantity.micros(high))
        + " ("
        + Quantity.percent(p99.confidence())
        + ")";
  }

  private static void row(Markup page, String name, String value, String bound, String says) {
    page.open("tr").leaf("td", name);
    Tables.number(page, value);
    page.leaf("td", bound).leaf("td", says).close();
  }
}
