package org.terrace.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Plot;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;

/**
 * Draws a figure of a study as SVG. Series differ by colour and by the shape of their marks or the
 * dashes of their lines. Points that would lie on one another's pixels are drawn once, so the size
 * of the drawing does not grow with the data. Confined to one thread.
 */
final class FigureDrawing {
  private static final List<String> STYLES =
      List.of("load", "intended", "throughput", "collection", "resource", "fault");
  private static final List<String> MARKS = List.of("●", "■", "▲", "◆", "▼", "✚");

  /** Lines of more points than this have no marks at them. */
  private static final int MOST_MARKS = 40;

  /** Clouds of no more points than these have larger ones. */
  private static final int MOST_SPARSE = 400;

  /** Points in one cell this wide and high are drawn once, in pixels. */
  private static final double CELL = 1.6;

  private static final double MARK = 3.6;
  private static final double BARS_WIDTH = 0.78;
  private static final double ROW_HALF = 0.24;
  private static final double CHARACTER = 6.2;

  private final Figure figure;
  private final FigureFrame frame;
  private final Plot plot;
  private final Scale x;
  private final Scale y;
  private final StackedBars stacks = new StackedBars();
  private int drawn;
  private int given;

  FigureDrawing(Figure figure) {
    this.figure = figure;
    frame = FigureFrame.of(figure);
    x = frame.x();
    y = frame.y();
    plot = new Plot(frame.width(), frame.height(), x, y, figure.title() + ". " + figure.caption());
  }

  /** The names of the series with their marks. */
  void legend(Markup page) {
    page.open("div", "class", "legend");
    for (int i = 0; i < figure.series().size(); i++) {
      page.open("span").leaf("span", mark(i) + " ", "class", "key " + style(i));
      page.text(figure.series().get(i).name()).close();
    }
    page.close();
  }

  /** The drawing. */
  Markup draw() {
    axes();
    for (int i = 0; i < figure.series().size(); i++) {
      Series series = figure.series().get(i);
      given += series.points().size();
      switch (series.kind()) {
        case LINE -> line(i, series);
        case POINTS -> scatter(i, series.points());
        case BARS -> bars(i, series);
        case STACKED_BARS -> stackedBars(i, series);
        case HISTOGRAM -> histogram(i, series);
        case TIMELINE -> spans(i, series);
      }
    }
    return plot.done();
  }

  /** The sentence that says that points share pixels; empty when all were drawn. */
  String reduction() {
    return drawn < given
        ? " Drawn are "
            + Quantity.count(drawn)
            + " of "
            + Quantity.count(given, "point")
            + ": the others share a place with these."
        : "";
  }

  /** A value as an axis names it: its category, or its number. */
  static String value(Figure.Axis axis, double value) {
    int index = (int) Math.round(value);
    return value == index && index >= 0 && index < axis.categories().size()
        ? axis.categories().get(index)
        : Quantity.number(value);
  }

  /** A unit as people write it. */
  static String unit(String unit) {
    return unit.equals("us") ? "µs" : unit;
  }

  private static String style(int series) {
    return STYLES.get(series % STYLES.size());
  }

  private static String mark(int series) {
    return MARKS.get(series % MARKS.size());
  }

  private void axes() {
    if (frame.hasPlaces() || !figure.x().categories().isEmpty()) {
      places();
    } else {
      plot.horizontal(6, Quantity::number, name(figure.x()));
    }
    boolean timeline = figure.series().stream().anyMatch(s -> s.kind() == Figure.Kind.TIMELINE);
    if (timeline) {
      for (int row = 0; row < figure.y().categories().size(); row++) {
        plot.text(figure.y().categories().get(row), Plot.LEFT, y.at(row - 0.3), "label halo");
      }
    } else {
      plot.vertical(5, Quantity::number);
      plot.text(name(figure.y()), Plot.LEFT - 50, Plot.TOP - 4, "name");
    }
  }

  private void places() {
    int count = frame.hasPlaces() ? frame.places().length : figure.x().categories().size();
    double room = (frame.width() - Plot.LEFT - Plot.RIGHT) / (double) Math.max(1, count);
    int every = (int) Math.max(1, Math.ceil(22 / room));
    int characters = (int) Math.max(3, every * room / CHARACTER);
    for (int i = 0; i < count; i += every) {
      String name = value(figure.x(), frame.hasPlaces() ? frame.places()[i] : i);
      String shown =
          name.length() > characters ? name.substring(0, characters - 1).strip() + "…" : name;
      plot.text(shown, x.at(i), frame.height() - Plot.BOTTOM + 15, "tick middle");
    }
    plot.text(name(figure.x()), frame.width() - Plot.RIGHT, frame.height() - 6, "name end");
    plot.path("M" + Plot.LEFT + " " + at(bottom()) + "H" + (frame.width() - Plot.RIGHT), "grid");
  }

  private static String name(Figure.Axis axis) {
    return axis.unit().isEmpty() ? axis.name() : axis.name() + " (" + unit(axis.unit()) + ")";
  }

  private void line(int index, Series series) {
    List<Point> points = new ArrayList<>(series.points());
    points.sort(java.util.Comparator.comparingDouble(Point::x));
    StringBuilder path = new StringBuilder();
    StringBuilder upper = new StringBuilder();
    StringBuilder lower = new StringBuilder();
    List<Point> kept = distinct(points);
    for (Point point : kept) {
      path.append(path.isEmpty() ? 'M' : 'L').append(place(point.x(), point.y()));
      Double high = point.high();
      Double low = point.low();
      upper
          .append(upper.isEmpty() ? 'M' : 'L')
          .append(place(point.x(), high == null ? point.y() : high));
      lower.insert(0, "L" + place(point.x(), low == null ? point.y() : low));
    }
    if (points.stream().anyMatch(p -> p.low() != null || p.high() != null)) {
      plot.path(upper.append(lower).append('z').toString(), "band fill-" + style(index));
    }
    plot.path(path.toString(), "line " + style(index) + " dash-" + index % STYLES.size());
    if (kept.size() <= MOST_MARKS) {
      kept.forEach(point -> mark(index, point));
    }
    labels(kept);
  }

  private void scatter(int index, List<Point> points) {
    List<Point> kept = distinct(points);
    StringBuilder whiskers = new StringBuilder();
    for (Point point : kept) {
      whiskers.append(whisker(frame.atX(point.x()), point.low(), point.high(), point.y()));
    }
    plot.path(whiskers.toString(), "whisker " + style(index));
    if (kept.size() <= MOST_MARKS) {
      kept.forEach(point -> mark(index, point));
    } else {
      StringBuilder dots = new StringBuilder();
      kept.forEach(point -> dots.append('M').append(place(point.x(), point.y())).append("h0"));
      String density = kept.size() <= MOST_SPARSE ? "sparse " : "";
      plot.path(dots.toString(), "cloud " + density + style(index));
    }
    labels(kept);
  }

  /** The points in different cells of {@link #CELL} pixels; all where they are few. */
  private List<Point> distinct(List<Point> points) {
    Set<Long> taken = new HashSet<>();
    List<Point> kept = new ArrayList<>();
    for (Point point : points) {
      long pixel =
          Math.round(frame.atX(point.x()) / CELL) << 32 | Math.round(y.at(point.y()) / CELL);
      if (points.size() <= MOST_MARKS || taken.add(pixel)) {
        kept.add(point);
      }
    }
    drawn += kept.size();
    return kept;
  }

  private void labels(List<Point> points) {
    for (Point point : points) {
      String label = point.label();
      if (label != null && points.size() <= MOST_MARKS) {
        plot.text(label, frame.atX(point.x()) + 6, y.at(point.y()) - 6, "label halo");
      }
    }
  }

  private void bars(int index, Series series) {
    List<Series> all = figure.series().stream().filter(s -> s.kind() == Figure.Kind.BARS).toList();
    double width = BARS_WIDTH / all.size();
    double from = -BARS_WIDTH / 2 + all.indexOf(series) * width;
    StringBuilder whiskers = new StringBuilder();
    for (Point point : series.points()) {
      double left = x.at(frame.place(point.x()) + from);
      double right = x.at(frame.place(point.x()) + from + width);
      plot.rectangle(left, bottom(), Math.max(left + 1, right - 1), y.at(point.y()), bar(index));
      whiskers.append(whisker((left + right - 1) / 2, point.low(), point.high(), point.y()));
      drawn++;
    }
    plot.path(whiskers.toString(), "whisker");
  }

  private void stackedBars(int index, Series series) {
    for (Point point : series.points()) {
      double place = frame.place(point.x());
      double base = stacks.stack(point);
      double foot = base == 0 ? bottom() : y.at(base);
      double left = x.at(place - BARS_WIDTH / 2);
      double right = x.at(place + BARS_WIDTH / 2);
      plot.rectangle(left, foot, right, y.at(base + point.y()), bar(index));
      drawn++;
    }
  }

  private void histogram(int index, Series series) {
    for (Point point : series.points()) {
      Double end = point.xEnd();
      double left = x.at(point.x());
      double right = end == null ? left + 1 : x.at(end);
      plot.rectangle(left, bottom(), Math.max(left + 1, right - 1), y.at(point.y()), bar(index));
      drawn++;
    }
  }

  private void spans(int index, Series series) {
    for (Point point : series.points()) {
      Double end = point.xEnd();
      double left = x.at(point.x());
      double right = Math.max(left + 2, end == null ? left : x.at(end));
      plot.rectangle(
          left, y.at(point.y() - ROW_HALF / 2), right, y.at(point.y() + ROW_HALF), bar(index));
      String label = point.label();
      if (label != null && label.length() * CHARACTER < right - left) {
        plot.text(label, left + 4, y.at(point.y() + 0.12), "label halo");
      }
      drawn++;
    }
  }

  private static String bar(int index) {
    return "bar fill-" + style(index);
  }

  private double bottom() {
    return y.logarithmic() ? y.start() : y.at(0);
  }

  private String whisker(double atX, @Nullable Double low, @Nullable Double high, double value) {
    if (low == null && high == null) {
      return "";
    }
    double from = y.at(low == null ? value : low);
    double to = y.at(high == null ? value : high);
    String cap = at(atX - 3) + " ";
    return "M" + at(atX) + " " + at(from) + "V" + at(to) + "M" + cap + at(from) + "h6M" + cap
        + at(to) + "h6";
  }

  private void mark(int index, Point point) {
    double atX = frame.atX(point.x());
    double atY = y.at(point.y());
    String start = "M" + at(atX);
    String path =
        switch (index % MARKS.size()) {
          case 0 ->
              "M" + at(atX - MARK) + " " + at(atY) + "a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z";
          case 1 -> "M" + at(atX - 3.2) + " " + at(atY - 3.2) + "h6.4v6.4h-6.4z";
          case 2 -> start + " " + at(atY - 4) + "l4 7h-8z";
          case 3 -> start + " " + at(atY - 4.4) + "l4.4 4.4l-4.4 4.4l-4.4 -4.4z";
          case 4 -> start + " " + at(atY + 4) + "l4 -7h-8z";
          default ->
              "M"
                  + at(atX - 4)
                  + " "
                  + at(atY - 1.2)
                  + "h8v2.4h-8zM"
                  + at(atX - 1.2)
                  + " "
                  + at(atY - 4)
                  + "h2.4v8h-2.4z";
        };
    plot.path(path, "mark-shape fill-" + style(index));
  }

  private String place(double atX, double atY) {
    return at(frame.atX(atX)) + " " + at(y.at(atY));
  }

  private static String at(double value) {
    return Quantity.coordinate(value);
  }
}
