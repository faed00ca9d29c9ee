package org.terrace.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.ServerSeries;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;
import org.terrace.report.page.Track;

/** The requests in flight around an episode of stalls, at its server and at those that waited. */
final class LoadStrip {
  private static final int WIDTH = 600;
  private static final int HEIGHT = 56;
  private static final int COLUMNS = 150;

  /** Servers drawn beside the one that stalled. */
  private static final int WAITERS_MAX = 2;

  /** Shown on either side, as a part of the episode, and at least in nanoseconds. */
  private static final double MARGIN = 0.35;

  private static final long LEAST_MARGIN_NANOS = 200_000_000L;
  private static final List<String> STYLES = List.of("load", "intended", "resource");

  private record Line(String server, String style, Track track) {}

  private LoadStrip() {}

  /** Writes the strip; nothing where the server has no series. */
  static void write(Content content, StallEpisode episode, List<Stall> stalls, Markup page) {
    long margin =
        Math.max(LEAST_MARGIN_NANOS, (long) ((episode.endNanos() - episode.startNanos()) * MARGIN));
    double from = Math.max(0, content.seconds(episode.startNanos() - margin));
    double to = Math.min(content.length(), content.seconds(episode.endNanos() + margin));
    List<String> servers = new ArrayList<>(List.of(episode.server()));
    episode.waiters().stream().limit(WAITERS_MAX).forEach(waiter -> servers.add(waiter.server()));
    List<Line> lines = new ArrayList<>();
    for (String server : servers) {
      Track track = track(content, server, from, to);
      if (track != null) {
        lines.add(new Line(server, STYLES.get(lines.size()), track));
      }
    }
    if (lines.isEmpty() || to <= from) {
      return;
    }
    double most = 1;
    for (Line line : lines) {
      most = Math.max(most, line.track().maximum());
    }
    page.open("figure", "class", "strip").open("figcaption");
    page.text("requests in flight, up to " + Quantity.number(most));
    for (Line line : lines) {
      page.leaf("span", "━ " + line.server(), "class", "key " + line.style());
    }
    page.close();
    drawing(content, stalls, lines, new double[] {from, to, most}, page);
    page.open("p", "class", "strip-ends", "aria-hidden", "true");
    page.leaf("span", Quantity.moment(from)).leaf("span", Quantity.moment(to)).close();
    page.close();
  }

  private static void drawing(
      Content content, List<Stall> stalls, List<Line> lines, double[] extent, Markup page) {
    Scale x = Scale.linear(extent[0], extent[1], 0, WIDTH);
    Scale y = Scale.linear(0, extent[2], HEIGHT - 1.0, 3);
    page.open(
        "svg",
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "preserveAspectRatio",
        "none",
        "role",
        "img",
        "aria-label",
        "Requests in flight around the episode at "
            + String.join(", ", lines.stream().map(Line::server).toList()));
    for (Stall stall : stalls) {
      double left = x.at(content.seconds(stall.startNanos()));
      double right = x.at(content.seconds(stall.endNanos()));
      page.empty(
          "rect",
          "x",
          Quantity.coordinate(left),
          "y",
          "0",
          "width",
          Quantity.coordinate(Math.max(1, right - left)),
          "height",
          "" + HEIGHT,
          "class",
          "stall");
    }
    page.empty(
        "line",
        "x1",
        "0",
        "x2",
        "" + WIDTH,
        "y1",
        "" + (HEIGHT - 1),
        "y2",
        "" + (HEIGHT - 1),
        "class",
        "grid");
    // The server that stalled lies on top.
    for (Line line : lines.reversed()) {
      page.empty(
          "path",
          "d",
          path(line.track(), x, y),
          "class",
          "line " + line.style(),
          "vector-effect",
          "non-scaling-stroke");
    }
    page.close();
  }

  private static @Nullable Track track(Content content, String server, double from, double to) {
    for (ServerSeries series : content.result().fineSeries()) {
      if (series.server().equals(server) && series.load().length > 0) {
        double step = series.windowNanos() / 1e9;
        double start = content.seconds(series.startNanos());
        int first = Math.clamp((long) ((from - start) / step), 0, series.load().length - 1);
        int end =
            Math.clamp((long) Math.ceil((to - start) / step), first + 1, series.load().length);
        return Track.of(
            start + first * step, step, Arrays.copyOfRange(series.load(), first, end), COLUMNS);
      }
    }
    return null;
  }

  private static String path(Track track, Scale x, Scale y) {
    StringBuilder path = new StringBuilder();
    for (int column = 0; column < track.columns(); column++) {
      double value = track.greatest()[column];
      if (!Double.isNaN(value)) {
        double at = track.startSeconds() + column * track.stepSeconds();
        path.append(path.isEmpty() ? 'M' : 'L').append(Quantity.coordinate(x.at(at)));
        path.append(' ').append(Quantity.coordinate(y.at(value)));
        path.append('H').append(Quantity.coordinate(x.at(at + track.stepSeconds())));
      }
    }
    return path.toString();
  }
}
