package org.terrace.report;

import org.terrace.analysis.MainSequence;
import org.terrace.analysis.Scatter;
import org.terrace.analysis.ServerDetail;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Plot;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;
import org.terrace.report.page.Tables;

/** Load against throughput of each server, with its congestion point. */
final class CongestionSection {
  private static final int WIDTH = 400;
  private static final int HEIGHT = 300;
  private static final double STALLED = 3;

  /** Beyond this many times N* the highest load would squeeze the knee into the left edge. */
  private static final double LOGARITHMIC = 8;

  /** The factor below N* at which a logarithmic scale begins. */
  private static final double DECADE = 10;

  private static final int CURVE_POINTS = 80;

  /** Points of all servers together; where there are more, every second, third... is drawn. */
  private static final int POINTS = 24_000;

  private CongestionSection() {}

  static void write(Content content, Markup page) {
    page.open("section", "id", "congestion").leaf("h2", "Where each server congests");
    page.leaf(
        "p",
        "A point is one window of "
            + content.result().findings().window().millis()
            + " ms: how many requests were at the server, and how much work it completed. Up to the"
            + " congestion point N* throughput grows with load; beyond it, requests only wait. Open diamonds are windows within stalls.",
        "class",
        "lead");
    page.open("div", "class", "plots");
    int servers = content.servers().size();
    for (int i = 0; i < content.servers().size(); i++) {
      server(content, i, POINTS / servers, page);
    }
    page.close();
    table(content, page);
    page.close();
  }

  private static void server(Content content, int index, int most, Markup page) {
    ServerFindings server = content.servers().get(index);
    ServerDetail detail = content.result().servers().get(index);
    page.open("figure").open("figcaption").leaf("h3", server.name());
    page.leaf("span", TimelineSection.congestion(server.congestionPoint()), "class", "congestion");
    page.close();
    int every = Math.max(1, Math.ceilDiv(detail.scatter().load().length, most));
    page.add(plot(server, detail, every));
    int drawn = Math.ceilDiv(detail.scatter().load().length, every);
    if (drawn < detail.scatter().windows()) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(drawn)
              + " of "
              + Quantity.count(detail.scatter().windows(), "window")
              + " drawn.",
          "class",
          "muted");
    }
    String reason = server.congestionPoint().reason();
    if (reason != null) {
      page.leaf("p", "No limit can be told: " + reason + ".", "class", "muted");
    }
    notes(server.congestionPoint(), detail, content, page);
    page.close();
  }

  private static void notes(
      CongestionPoint point, ServerDetail detail, Content content, Markup page) {
    if (CongestionPoint.DRAINS.equals(point.basis())) {
      page.leaf(
          "p",
          "Load was seldom beyond N*: its capacity is the pace at which it worked off what pauses"
              + " and bursts left.",
          "class",
          "muted");
    }
    if (CongestionPoint.ORDER.equals(point.basis())) {
      page.leaf(
          "p",
          "It handles so many requests at a time: its answers overtake no more older ones, however"
              + " many wait.",
          "class",
          "muted");
    }
    if (detail.windowMillis() != content.result().findings().window().millis()) {
      page.leaf(
          "p",
          "Points are windows of "
              + detail.windowMillis()
              + " ms, as its quota works in such periods.",
          "class",
          "muted");
    }
    String change = point.change();
    if (change != null) {
      page.leaf("p", "One N* is an average here: " + change + ".", "class", "note");
    }
  }

  private static Markup plot(ServerFindings server, ServerDetail detail, int every) {
    Scatter scatter = detail.scatter();
    CongestionPoint point = server.congestionPoint();
    Scale x = across(greatest(scatter.load()), point);
    Scale y = Plot.upwards(0, Scale.roundUp(greatest(scatter.throughput())), HEIGHT, false);
    Plot plot = new Plot(WIDTH, HEIGHT, x, y, "Load against throughput of " + server.name());
    plot.horizontal(
        6,
        Quantity::number,
        "load: requests at the server" + (x.logarithmic() ? ", logarithmic" : ""));
    plot.vertical(5, Quantity::number);
    plot.text("work units a second", Plot.LEFT, Plot.TOP - 5, "name");
    Double low = point.low();
    Double high = point.high();
    if (low != null && high != null) {
      plot.rectangle(x.at(low), Plot.TOP, x.at(high), HEIGHT - Plot.BOTTOM, "interval");
    }
    plot.path(points(scatter, x, y, false, every), "dots");
    plot.path(points(scatter, x, y, true, every), "stalled");
    sequence(plot, detail.mainSequence(), x);
    Double load = point.load();
    if (load != null) {
      plot.upright(load, "mark");
      plot.text("N* " + Quantity.number(load), x.at(load) + 4, Plot.TOP + 10, "label halo");
    }
    return plot.done();
  }

  private static Scale across(double most, CongestionPoint point) {
    Double load = point.load();
    return load != null && most > LOGARITHMIC * load
        ? Plot.across(load / DECADE, most, WIDTH, true)
        : Plot.across(0, Scale.roundUp(most), WIDTH, false);
  }

  private static void sequence(Plot plot, MainSequence sequence, Scale x) {
    plot.path(plot.line(sequence.binLoad(), sequence.binThroughput()), "line medians");
    Double slope = sequence.slope();
    Double capacity = sequence.capacity();
    if (slope != null && capacity != null && slope > 0) {
      double[] xs = new double[CURVE_POINTS];
      double[] ys = new double[CURVE_POINTS];
      for (int i = 0; i < CURVE_POINTS; i++) {
        xs[i] = x.value((double) i / (CURVE_POINTS - 1));
        ys[i] = Math.min(slope * xs[i], capacity);
      }
      plot.path(plot.line(xs, ys), "line hinge");
    }
  }

  /** Ordinary windows as dots, stalled ones as open diamonds. */
  private static String points(Scatter scatter, Scale x, Scale y, boolean stalled, int every) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < scatter.load().length; i += every) {
      if (scatter.stalled()[i] != stalled) {
        continue;
      }
      double atX = x.at(scatter.load()[i]);
      double atY = y.at(scatter.throughput()[i]);
      path.append('M').append(Quantity.coordinate(stalled ? atX - STALLED : atX)).append(' ');
      path.append(Quantity.coordinate(atY));
      if (stalled) {
        path.append("l3-3 3 3-3 3z");
      } else {
        path.append("h0");
      }
    }
    return path.toString();
  }

  private static double greatest(double[] values) {
    double greatest = 0;
    for (double value : values) {
      greatest = Math.max(greatest, value);
    }
    return greatest;
  }

  private static void table(Content content, Markup page) {
    page.open("details").leaf("summary", "Table");
    Tables.open(
        page,
        "Server",
        "#N*",
        "#95 % interval or range",
        "#As published",
        "#Capacity",
        "#Congested",
        "#Highest load",
        "At other windows");
    for (ServerFindings server : content.servers()) {
      CongestionPoint point = server.congestionPoint();
      page.open("tr").leaf("td", server.name());
      Tables.number(page, show(point.load()));
      Tables.number(
          page,
          show(point.low()) + " – " + show(point.high()) + (isRange(point) ? " (plausible)" : ""));
      Tables.number(page, show(point.asPublished()));
      Double capacity = point.capacityPerSecond();
      Tables.number(page, capacity == null ? "–" : Quantity.perSecond(capacity));
      Double share = point.congestedShare();
      Tables.number(page, share == null ? "–" : Quantity.percent(share));
      Tables.number(page, Quantity.number(point.maximumLoadSeen()));
      page.leaf("td", scales(point)).close();
    }
    Tables.close(page);
    page.close();
  }

  /** Whether the ends of N* are those of plausible values, which are no 95 % interval. */
  private static boolean isRange(CongestionPoint point) {
    return CongestionPoint.ORDER.equals(point.basis())
        || CongestionPoint.QUOTA.equals(point.basis());
  }

  private static String scales(CongestionPoint point) {
    StringBuilder text = new StringBuilder();
    for (CongestionPoint.Scale scale : point.scales()) {
      text.append(text.isEmpty() ? "" : " · ");
      text.append(scale.millis()).append(" ms: ").append(show(scale.load()));
    }
    return text.toString();
  }

  private static String show(@org.jspecify.annotations.Nullable Double value) {
    return value == null ? "–" : Quantity.number(value);
  }
}
