package org.terrace.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Server;
import org.terrace.report.ServiceMapSection.Edge;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;

/** The drawing of who calls whom: a column a tier, from the users to the database. */
final class ServiceMap {
  /** Servers drawn of one tier; more are said below, and are in the table. */
  private static final int ROWS_MAX = 12;

  /** Calls between two columns that are labelled; more would lie over one another. */
  private static final int LABELS_MAX = 8;

  private static final int WIDTH = 1_180;
  private static final int BOX_WIDTH = 168;
  private static final int BOX_HEIGHT = 66;
  private static final int LEAST_GAP = 130;
  private static final int ROW = 96;
  private static final int TOP = 26;
  private static final int LABEL_HEIGHT = 30;

  /** The distance at which a call passes servers between its ends. */
  private static final int PASSING = 16;

  private record Box(String name, int column, double x, double y, @Nullable ServerFindings server) {
    double right() {
      return x + BOX_WIDTH;
    }

    double middle() {
      return y + BOX_HEIGHT / 2.0;
    }
  }

  private record Label(Edge edge, double x, double y) {}

  private final Content content;
  private final List<Edge> edges;
  private final Map<String, List<ServerFindings>> tiers = new LinkedHashMap<>();
  private final Map<String, Box> boxes = new LinkedHashMap<>();
  private int leftOut;

  ServiceMap(Content content, List<Edge> edges) {
    this.content = content;
    this.edges = edges;
    for (ServerFindings server : content.servers()) {
      if (server.requests() > 0) {
        tiers.computeIfAbsent(server.tier(), tier -> new ArrayList<>()).add(server);
      }
    }
  }

  void draw(Markup page) {
    int rows = 1;
    for (List<ServerFindings> tier : tiers.values()) {
      rows = Math.max(rows, Math.min(ROWS_MAX, tier.size()));
      leftOut += Math.max(0, tier.size() - ROWS_MAX);
    }
    int columns = tiers.size() + 1;
    double gap = Math.max(LEAST_GAP, (WIDTH - (double) columns * BOX_WIDTH) / (columns - 1));
    double width = columns * BOX_WIDTH + (columns - 1) * gap;
    double height = TOP + (double) rows * ROW + 8;
    place(gap, height);
    page.open("div", "class", "map", "tabindex", "0");
    page.open(
        "svg",
        "viewBox",
        "-2 0 " + Quantity.coordinate(width + 4) + " " + Quantity.coordinate(height),
        "role",
        "group",
        "aria-label",
        "Map of who calls whom; the same figures are in the table below");
    int column = 1;
    for (String tier : tiers.keySet()) {
      page.leaf(
          "text",
          tier,
          "x",
          Quantity.coordinate(column++ * (BOX_WIDTH + gap)),
          "y",
          "12",
          "class",
          "name");
    }
    List<Label> labels = new ArrayList<>();
    for (Edge edge : edges) {
      Box from = boxes.get(edge.caller());
      Box to = boxes.get(edge.server());
      if (from != null && to != null) {
        line(edge, from, to, page);
        if (from.column() + 1 == to.column()) {
          labels.add(
              new Label(edge, (from.right() + to.x()) / 2, (from.middle() + to.middle()) / 2));
        }
      }
    }
    boxes.values().forEach(box -> box(box, page));
    labels(labels, page);
    page.close().close();
    if (leftOut > 0) {
      page.leaf(
          "p",
          "✂ " + Quantity.count(leftOut, "server") + " not drawn; the table has them.",
          "class",
          "note");
    }
  }

  private void place(double gap, double height) {
    double middle = TOP + (height - 8 - TOP) / 2 - ROW / 2.0 + (ROW - BOX_HEIGHT) / 2.0;
    boxes.put(Server.CLIENTS, new Box("users", 0, 0, middle, null));
    int column = 1;
    for (List<ServerFindings> tier : tiers.values()) {
      int shown = Math.min(ROWS_MAX, tier.size());
      double y = middle - (shown - 1) * ROW / 2.0;
      for (ServerFindings server : tier.subList(0, shown)) {
        boxes.put(
            server.name(), new Box(server.name(), column, column * (BOX_WIDTH + gap), y, server));
        y += ROW;
      }
      column++;
    }
  }

  private static void line(Edge edge, Box from, Box to, Markup page) {
    double x1 = from.right();
    double x2 = to.x();
    double bend = Math.max(40, (x2 - x1) / 2);
    String path;
    if (to.column() > from.column() + 1) {
      // Below the servers that it passes.
      path = below(from, to);
    } else if (to.column() > from.column()) {
      path = curve(x1, from.middle(), x1 + bend, x2 - bend, x2, to.middle());
    } else if (from.name().equals(to.name())) {
      path = curve(x1, from.middle() - 12, x1 + 50, x1 + 50, x1, from.middle() + 12);
    } else {
      path = curve(x1, from.middle(), x1 + 60, to.right() + 60, to.right(), to.middle());
    }
    double rate = Math.log10(1 + edge.calls().callsPerSecond());
    page.empty(
        "path",
        "d",
        path,
        "class",
        edge.awaited() ? "edge awaited" : "edge",
        "stroke-width",
        Quantity.coordinate(Math.clamp(1 + rate, 1, 5)));
  }

  private static String below(Box from, Box to) {
    double y = Math.max(from.y(), to.y()) + BOX_HEIGHT + PASSING;
    double x1 = from.right() + PASSING;
    double x2 = to.x() - PASSING;
    return curve(from.right(), from.middle() + 12, x1, from.right() + 4, x1 + 8, y)
        + "L"
        + Quantity.coordinate(x2 - 8)
        + " "
        + Quantity.coordinate(y)
        + curve(x2 - 8, y, x2, to.x() - 30, to.x(), to.middle() + 12).replaceFirst("M", "L");
  }

  private static String curve(
      double x1, double y1, double bend1, double bend2, double x2, double y2) {
    return "M"
        + Quantity.coordinate(x1)
        + " "
        + Quantity.coordinate(y1)
        + "C"
        + Quantity.coordinate(bend1)
        + " "
        + Quantity.coordinate(y1)
        + " "
        + Quantity.coordinate(bend2)
        + " "
        + Quantity.coordinate(y2)
        + " "
        + Quantity.coordinate(x2)
        + " "
        + Quantity.coordinate(y2);
  }

  private void box(Box box, Markup page) {
    ServerFindings server = box.server();
    boolean stalled = server != null && !server.stalls().isEmpty();
    if (server != null) {
      page.open("a", "href", "#server=" + encoded(box.name()), "class", "jump");
    }
    page.empty(
        "rect",
        "x",
        Quantity.coordinate(box.x()),
        "y",
        Quantity.coordinate(box.y()),
        "width",
        "" + BOX_WIDTH,
        "height",
        "" + BOX_HEIGHT,
        "rx",
        "7",
        "class",
        stalled ? "box stalled-box" : "box");
    text(cut(box.name()), box.x() + 12, box.y() + 21, "box-name", page);
    if (server != null) {
      text(
          Quantity.perSecond(server.requestsPerSecond())
              + ", 99 % "
              + Quantity.time(server.residenceMicros(), Findings.Latency::p99),
          box.x() + 12,
          box.y() + 38,
          "tick",
          page);
      text(stalls(server.stalls()), box.x() + 12, box.y() + 55, stalled ? "awaited" : "tick", page);
      page.close();
    } else {
      text(
          content.result().clients() == null ? "whoever is no server" : "of the load generator",
          box.x() + 12,
          box.y() + 38,
          "tick",
          page);
    }
  }

  private static String stalls(List<Stall> stalls) {
    if (stalls.isEmpty()) {
      return "no stall";
    }
    long nanos = stalls.stream().mapToLong(each -> each.endNanos() - each.startNanos()).sum();
    return "▌" + Quantity.count(stalls.size(), "stall") + ", " + Quantity.nanos((double) nanos);
  }

  private static String encoded(String name) {
    return java.net.URLEncoder.encode(name, java.nio.charset.StandardCharsets.UTF_8);
  }

  private static String cut(String name) {
    return name.length() <= 20 ? name : name.substring(0, 19) + "…";
  }

  /** Writes the labels of each pair of columns, pushed apart where they would lie on another. */
  private void labels(List<Label> labels, Markup page) {
    Map<Double, List<Label>> gaps = new LinkedHashMap<>();
    labels.forEach(label -> gaps.computeIfAbsent(label.x(), x -> new ArrayList<>()).add(label));
    for (List<Label> gap : gaps.values()) {
      if (gap.size() > LABELS_MAX) {
        continue;
      }
      gap.sort(Comparator.comparingDouble(Label::y));
      double free = Double.NEGATIVE_INFINITY;
      for (Label label : gap) {
        double y = Math.max(free, label.y());
        free = y + LABEL_HEIGHT;
        var calls = label.edge().calls();
        text(
            Quantity.perSecond(calls.callsPerSecond()),
            label.x(),
            y - 4,
            "label halo middle",
            page);
        text(
            Quantity.time(calls.residenceMicros(), Findings.Latency::p50)
                + " · "
                + Quantity.time(calls.residenceMicros(), Findings.Latency::p99),
            label.x(),
            y + 11,
            "tick halo middle",
            page);
      }
    }
  }

  private static void text(String text, double x, double y, String style, Markup page) {
    page.leaf(
        "text", text, "x", Quantity.coordinate(x), "y", Quantity.coordinate(y), "class", style);
  }
}
