package org.terrace.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.observation.Event;
import org.terrace.report.page.Glyph;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;
import org.terrace.report.page.Track;

/**
 * Draws lanes as SVG, for print and for readers without JavaScript; the script of the page replaces
 * them by drawings that zoom.
 */
final class LaneDrawing {
  static final int WIDTH = 1120;
  static final int LEFT = 60;
  static final int RIGHT = 80;
  static final int EVENTS_HEIGHT = 18;
  private static final int AXIS_HEIGHT = 24;
  private static final int COLUMNS = 960;
  private static final int TIME_TICKS = 9;

  /** The part of the time beyond which an event is drawn thin and hollow: one in so many. */
  private static final double LASTING = 8;

  private static final double NARROWEST_EVENT = 1.5;

  private final Content content;
  private final Scale time;

  LaneDrawing(Content content) {
    this.content = content;
    this.time = Scale.linear(0, content.length(), LEFT, WIDTH - RIGHT);
  }

  Markup axis() {
    Markup svg = svg(AXIS_HEIGHT, "Time in seconds");
    for (double tick : time.ticks(TIME_TICKS)) {
      svg.leaf(
          "text",
          Quantity.number(tick) + " s",
          "x",
          Quantity.coordinate(time.at(tick)),
          "y",
          "16",
          "class",
          "tick middle");
    }
    return svg.close();
  }

  Markup lane(Lane lane, List<Stall> stalls) {
    int height = lane.height();
    Markup svg =
        svg(height, lane.title() + (lane.server().isEmpty() ? "" : " of " + lane.server()));
    Scale y = lane.scale(height - 4.0, 8);
    for (Stall stall : stalls) {
      rectangle(
          svg, content.seconds(stall.startNanos()), content.seconds(stall.endNanos()), height);
    }
    for (double tick : lane.ticks()) {
      String at = Quantity.coordinate(y.at(tick));
      svg.empty(
          "line", "x1", "" + LEFT, "x2", "" + (WIDTH - RIGHT), "y1", at, "y2", at, "class", "grid");
      svg.leaf(
          "text",
          lane.tick(tick),
          "x",
          "" + (LEFT - 6),
          "y",
          Quantity.coordinate(y.at(tick) + 4),
          "class",
          "tick end");
    }
    Lane.Mark mark = lane.mark();
    if (mark != null) {
      String at = Quantity.coordinate(y.at(mark.at()));
      svg.empty(
          "line", "x1", "" + LEFT, "x2", "" + (WIDTH - RIGHT), "y1", at, "y2", at, "class", "mark");
      svg.leaf("text", mark.label(), "x", "" + (WIDTH - RIGHT + 6), "y", at, "class", "tick");
    }
    for (Lane.Line line : lane.lines()) {
      svg.empty("path", "d", path(line.track(), y), "class", "line " + line.style());
    }
    faults(svg, height);
    return svg.close();
  }

  Markup events(List<Event> events) {
    Markup svg = svg(EVENTS_HEIGHT, "Events");
    Map<String, StringBuilder> byStyle = new TreeMap<>();
    Map<String, Double> drawnTo = new TreeMap<>();
    for (Event event : events) {
      boolean lasting =
          event.endNanos() - event.startNanos() > content.length() / LASTING * 1e9
              && !event.kind().startsWith("fault-");
      String style = Glyph.of(event.kind()).style() + (lasting ? " lasting" : "");
      double from = time.at(content.seconds(event.startNanos()));
      double to = Math.max(from + NARROWEST_EVENT, time.at(content.seconds(event.endNanos())));
      if (to > drawnTo.getOrDefault(style, 0.0)) {
        StringBuilder path = byStyle.computeIfAbsent(style, key -> new StringBuilder());
        String width = Quantity.coordinate(to - from);
        boolean thin = style.equals("throttled");
        path.append('M').append(Quantity.coordinate(from));
        path.append(thin ? " 15h" : lasting ? " 7.5h" : " 4h").append(width);
        path.append(thin ? "v3h-" : lasting ? "v4h-" : "v10h-").append(width).append('z');
        drawnTo.put(style, to);
      }
    }
    byStyle.forEach((style, path) -> svg.empty("path", "d", path.toString(), "class", style));
    faults(svg, EVENTS_HEIGHT);
    return svg.close();
  }

  /** A line through the greatest values of the columns, with the least ones filled in. */
  private String path(Track track, Scale y) {
    Track drawn = Track.of(track.startSeconds(), track.stepSeconds(), track.greatest(), COLUMNS);
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < drawn.columns(); i++) {
      double from = time.at(drawn.startSeconds() + i * drawn.stepSeconds());
      double to = time.at(drawn.startSeconds() + (i + 1) * drawn.stepSeconds());
      double high = drawn.greatest()[i];
      if (Double.isNaN(high)) {
        drawing = false;
        continue;
      }
      if (drawing) {
        path.append('V').append(Quantity.coordinate(y.at(high)));
      } else {
        path.append('M').append(Quantity.coordinate(from)).append(' ');
        path.append(Quantity.coordinate(y.at(high)));
      }
      double low = drawn.least()[i];
      if (low < high) {
        path.append('V').append(Quantity.coordinate(y.at(low)));
        path.append('V').append(Quantity.coordinate(y.at(high)));
      }
      path.append('H').append(Quantity.coordinate(to));
      drawing = true;
    }
    return path.isEmpty() ? "M0 0" : path.toString();
  }

  private void rectangle(Markup svg, double from, double to, int height) {
    svg.empty(
        "rect",
        "x",
        Quantity.coordinate(time.at(from)),
        "y",
        "0",
        "width",
        Quantity.coordinate(Math.max(NARROWEST_EVENT, time.at(to) - time.at(from))),
        "height",
        String.valueOf(height),
        "class",
        "stall");
  }

  private void faults(Markup svg, int height) {
    for (Event fault : content.faults()) {
      String x = Quantity.coordinate(time.at(content.seconds(fault.startNanos())));
      svg.empty("line", "x1", x, "x2", x, "y1", "0", "y2", "" + height, "class", "fault-line");
    }
  }

  private static Markup svg(int height, String label) {
    return new Markup()
        .open(
            "svg",
            "viewBox",
            "0 0 " + WIDTH + " " + height,
            "role",
            "img",
            "aria-label",
            label,
            "class",
            "static");
  }
}
