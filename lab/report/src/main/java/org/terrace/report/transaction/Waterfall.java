package org.terrace.report.transaction;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.finding.TransactionExample;
import org.terrace.analysis.finding.TransactionExample.TransactionSpan;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The requests of one transaction below one another, each with its stretch of time. */
public final class Waterfall {
  /** The width of a drawing, which is stretched to that of its cell. */
  private static final double WIDTH = 1_000;

  private static final double LEAST_WIDTH = 3;
  private static final int LINES = 4;

  private final TransactionExample example;
  private final TierStyles styles;
  private final Markup page;

  private Waterfall(TransactionExample example, TierStyles styles, Markup page) {
    this.example = example;
    this.styles = styles;
    this.page = page;
  }

  public static void write(TransactionExample example, TierStyles styles, Markup page) {
    new Waterfall(example, styles, page).write();
  }

  private void write() {
    page.open("div", "class", "table waterfall", "tabindex", "0").open("table").open("thead");
    page.open("tr").leaf("th", "Request", "scope", "col");
    page.open("th", "scope", "col", "class", "time");
    page.leaf("span", "0").leaf("span", Quantity.micros(example.micros())).close();
    for (String heading : List.of("Length", "Self-time", "Packets")) {
      page.leaf("th", heading, "scope", "col", "class", "n");
    }
    page.leaf("th", "Confidence", "scope", "col");
    page.close().close().open("tbody");
    List<Integer> depths = new ArrayList<>();
    for (int place = 0; place < example.spans().size(); place++) {
      TransactionSpan span = example.spans().get(place);
      depths.add(span.parent() < 0 ? 0 : depths.get(span.parent()) + 1);
      row(span, place, depths.getLast());
    }
    Tables.close(page);
    if (example.spansLeftOut() > 0) {
      page.leaf(
          "p",
          "✂ " + Quantity.count(example.spansLeftOut(), "shorter request") + " left out.",
          "class",
          "note");
    }
  }

  private void row(TransactionSpan span, int place, int depth) {
    page.open("tr").open("td", "class", "call " + CallTable.indent(depth));
    page.leaf("b", span.server()).text(" ");
    CallTable.named(span.requestClass(), page);
    if (!span.outcome().equals("ok")) {
      page.text(" ").leaf("span", outcome(span.outcome()), "class", "bad");
    }
    page.close().open("td", "class", "time");
    bar(span, place);
    page.close();
    Tables.number(page, Quantity.micros(span.micros()));
    Tables.number(page, Quantity.micros(span.selfMicros()));
    Tables.number(page, PacketLine.range(span.firstFrame(), span.lastFrame()));
    page.open("td", "class", "sure");
    if (span.parent() >= 0) {
      page.text(Quantity.percent(span.confidence()) + " ");
      page.leaf("span", span.source(), "class", "muted");
    }
    page.close().close();
  }

  private void bar(TransactionSpan span, int place) {
    page.open(
        "svg",
        "viewBox",
        "0 0 1000 16",
        "preserveAspectRatio",
        "none",
        "class",
        "span-bar",
        "aria-hidden",
        "true");
    for (int line = 1; line < LINES; line++) {
      String x = Quantity.coordinate(WIDTH * line / LINES);
      page.empty("line", "x1", x, "x2", x, "y1", "0", "y2", "16", "class", "grid");
    }
    String style = "fill-" + styles.ofServer(span.server());
    double end = span.startMicros() + span.micros();
    boolean whole = example.spansLeftOut() == 0;
    rect(span.startMicros(), end, whole ? style + " covered" : style);
    if (whole) {
      double from = span.startMicros();
      for (int i = place + 1; i < example.spans().size(); i++) {
        TransactionSpan call = example.spans().get(i);
        if (call.parent() == place) {
          if (call.startMicros() > from) {
            rect(from, Math.min(end, call.startMicros()), style);
          }
          from = Math.max(from, call.startMicros() + call.micros());
        }
      }
      if (from < end) {
        rect(from, end, style);
      }
    }
    page.close();
  }

  private void rect(double fromMicros, double toMicros, String style) {
    double all = Math.max(example.micros(), Double.MIN_NORMAL);
    double x = Math.clamp(fromMicros / all * WIDTH, 0, WIDTH - LEAST_WIDTH);
    double width = Math.clamp(toMicros / all * WIDTH - x, LEAST_WIDTH, WIDTH);
    page.empty(
        "rect",
        "x",
        Quantity.coordinate(x),
        "y",
        "3",
        "width",
        Quantity.coordinate(width),
        "height",
        "10",
        "class",
        style);
  }

  /** The outcome of a request as words. */
  public static String outcome(String outcome) {
    return switch (outcome) {
      case "error" -> "error";
      case "aborted" -> "no complete answer";
      case "unfinished" -> "still open at the end";
      default -> outcome;
    };
  }
}
