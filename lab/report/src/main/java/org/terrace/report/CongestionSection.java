package org.terrace.report;

import org.terrace.analysis.Findings;
import org.terrace.analysis.Findings.CongestionPoint;
import org.terrace.analysis.Findings.ServerFindings;
import org.terrace.analysis.MainSequence;
import org.terrace.analysis.Scatter;
import org.terrace.analysis.ServerDetail;

/** Load against throughput of each server, with its congestion point. */
final class CongestionSection {
  private static final int WIDTH = 460;
  private static final int HEIGHT = 300;
  private static final double POINT = 1.4;
  private static final double STALLED = 3;

  private CongestionSection() {}

  static void write(Content content, Markup page) {
    page.open("section", "id", "congestion").leaf("h2", "Where each server congests");
    page.leaf(
        "p",
        "A point is one window of "
            + content.result().findings().window().millis()
            + " ms: how many requests were at the server, and how much work it completed. Up to the"
            + " congestion point N* throughput grows with load; beyond it, requests only wait.",
        "class",
        "lead");
    page.open("div", "class", "plots");
    for (int i = 0; i < content.servers().size(); i++) {
      server(content.servers().get(i), content.result().servers().get(i), page);
    }
    page.close();
    table(content, page);
    page.close();
  }

  private static void server(ServerFindings server, ServerDetail detail, Markup page) {
    page.open("figure").open("figcaption").leaf("h3", server.name());
    page.leaf("span", TimelineSection.congestion(server.congestionPoint()), "class", "congestion");
    page.close();
    page.add(plot(server, detail));
    String reason = server.congestionPoint().reason();
    if (reason != null) {
      page.leaf("p", reason, "class", "muted");
    }
    page.close();
  }

  private static Markup plot(ServerFindings server, ServerDetail detail) {
    Scatter scatter = detail.scatter();
    CongestionPoint point = server.congestionPoint();
    Scale x = Plot.across(0, Scale.roundUp(greatest(scatter.load())), WIDTH, false);
    Scale y = Plot.upwards(0, Scale.roundUp(greatest(scatter.throughput())), HEIGHT, false);
    Plot plot = new Plot(WIDTH, HEIGHT, x, y, "Load against throughput of " + server.name());
    plot.horizontal(6, Quantity::number, "load: requests at the server");
    plot.vertical(5, Quantity::number);
    plot.text("work units a second", Plot.LEFT + 4, Plot.TOP + 8, "name");
    Double low = point.low();
    Double high = point.high();
    if (low != null && high != null) {
      plot.rectangle(x.at(low), Plot.TOP, x.at(high), HEIGHT - Plot.BOTTOM, "interval");
    }
    plot.path(points(scatter, x, y, false), "dots");
    plot.path(points(scatter, x, y, true), "stalled");
    sequence(plot, detail.mainSequence(), x);
    Double load = point.load();
    Double published = point.asPublished();
    if (published != null) {
      plot.upright(published, "published");
      plot.text("as published", x.at(published) + 4, HEIGHT - Plot.BOTTOM - 6, "tick");
    }
    if (load != null) {
      plot.upright(load, "mark");
      plot.text("N* " + Quantity.number(load), x.at(load) + 4, HEIGHT - Plot.BOTTOM - 20, "label");
    }
    return plot.done();
  }

  private static void sequence(Plot plot, MainSequence sequence, Scale x) {
    plot.path(plot.line(sequence.binLoad(), sequence.binThroughput()), "line medians");
    Double slope = sequence.slope();
    Double capacity = sequence.capacity();
    if (slope != null && capacity != null && slope > 0) {
      double[] xs = {0, capacity / slope, x.to()};
      double[] ys = {0, capacity, capacity};
      plot.path(plot.line(xs, ys), "line hinge");
    }
  }

  /** Ordinary windows as dots, stalled ones as open diamonds. */
  private static String points(Scatter scatter, Scale x, Scale y, boolean stalled) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < scatter.load().length; i++) {
      if (scatter.stalled()[i] != stalled) {
        continue;
      }
      double atX = x.at(scatter.load()[i]);
      double atY = y.at(scatter.throughput()[i]);
      double reach = stalled ? STALLED : POINT;
      path.append('M').append(Quantity.coordinate(atX - reach)).append(' ');
      path.append(Quantity.coordinate(atY));
      if (stalled) {
        path.append("l3-3 3 3-3 3z");
      } else {
        path.append("h2.8");
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
        "#95 % interval",
        "#As published",
        "#Capacity",
        "#Congested",
        "#Highest load",
        "At other windows");
    for (ServerFindings server : content.servers()) {
      CongestionPoint point = server.congestionPoint();
      page.open("tr").leaf("td", server.name());
      Tables.number(page, show(point.load()));
      Tables.number(page, show(point.low()) + " – " + show(point.high()));
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

  private static String scales(CongestionPoint point) {
    StringBuilder text = new StringBuilder();
    for (Findings.Scale scale : point.scales()) {
      text.append(text.isEmpty() ? "" : " · ");
      text.append(scale.millis()).append(" ms: ").append(show(scale.load()));
    }
    return text.toString();
  }

  private static String show(@org.jspecify.annotations.Nullable Double value) {
    return value == null ? "–" : Quantity.number(value);
  }
}
