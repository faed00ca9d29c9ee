package org.terrace.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.terrace.analysis.study.Figure;
import org.terrace.report.page.Plot;
import org.terrace.report.page.Scale;

/**
 * The extent of a study's figure and its two scales.
 *
 * @param width the width of the drawing
 * @param height its height; a time line grows with its rows
 * @param x the horizontal scale
 * @param y the vertical scale
 * @param places the distinct x of bars, in rising order; empty without bars
 */
record FigureFrame(int width, int height, Scale x, Scale y, double[] places) {
  private static final int WIDTH = 520;
  private static final int HEIGHT = 310;
  private static final int ROW = 46;
  private static final double MARGIN = 0.04;

  static FigureFrame of(Figure figure) {
    boolean timeline = is(figure, Figure.Kind.TIMELINE);
    double[] places =
        points(figure.series().stream().filter(s -> isBar(s.kind())).toList(), Figure.Point::x)
            .distinct()
            .sorted()
            .toArray();
    int height = timeline ? Plot.TOP + Plot.BOTTOM + ROW * Math.max(1, rows(figure)) : HEIGHT;
    Scale y =
        timeline
            ? Scale.linear(-0.5, Math.max(1, rows(figure)) - 0.5, Plot.TOP, height - Plot.BOTTOM)
            : upwards(figure, height);
    return new FigureFrame(WIDTH, height, across(figure, places), y, places);
  }

  static boolean isBar(Figure.Kind kind) {
    return kind == Figure.Kind.BARS || kind == Figure.Kind.STACKED_BARS;
  }

  /** Whether x stands for places side by side rather than for numbers. */
  boolean hasPlaces() {
    return places.length > 0;
  }

  /** The place of an x among the bars: its index, or between two of them. */
  double place(double value) {
    for (int i = 0; i < places.length; i++) {
      if (value <= places[i]) {
        return i == 0 || value == places[i]
            ? i
            : i - (places[i] - value) / (places[i] - places[i - 1]);
      }
    }
    return places.length - 1.0;
  }

  /** The coordinate of an x. */
  double atX(double value) {
    return x.at(hasPlaces() ? place(value) : value);
  }

  private static boolean is(Figure figure, Figure.Kind kind) {
    return figure.series().stream().anyMatch(series -> series.kind() == kind);
  }

  private static int rows(Figure figure) {
    double last = points(figure.series(), Figure.Point::y).max().orElse(0);
    return Math.max(figure.y().categories().size(), (int) last + 1);
  }

  private static DoubleStream points(
      List<Figure.Series> series, ToDoubleFunction<Figure.Point> value) {
    return series.stream().flatMap(each -> each.points().stream()).mapToDouble(value);
  }

  private static Scale across(Figure figure, double[] places) {
    if (places.length > 0) {
      return Plot.across(-0.5, places.length - 0.5, WIDTH, false);
    }
    int categories = figure.x().categories().size();
    if (categories > 0) {
      return Plot.across(-0.5, categories - 0.5, WIDTH, false);
    }
    DoubleStream all =
        DoubleStream.concat(
            points(figure.series(), Figure.Point::x),
            points(figure.series(), point -> point.xEnd() == null ? point.x() : point.xEnd()));
    boolean logarithmic = figure.x().scale() == Figure.Scale.LOGARITHMIC;
    double[] values = all.filter(value -> !logarithmic || value > 0).toArray();
    double low = DoubleStream.of(values).min().orElse(logarithmic ? 1 : 0);
    double high = DoubleStream.of(values).max().orElse(logarithmic ? 10 : 1);
    boolean bins = is(figure, Figure.Kind.HISTOGRAM) || is(figure, Figure.Kind.TIMELINE);
    if (logarithmic) {
      double reach = Math.pow(high / low, bins ? 0 : MARGIN);
      return Plot.across(low / reach, high * reach, WIDTH, true);
    }
    double reach = bins ? 0 : (high - low) * MARGIN;
    return Plot.across(low - (low == 0 ? 0 : reach), high + reach, WIDTH, false);
  }

  private static Scale upwards(Figure figure, int height) {
    DoubleStream all =
        DoubleStream.concat(
            points(figure.series(), Figure.Point::y),
            DoubleStream.concat(
                points(figure.series(), p -> p.low() == null ? p.y() : p.low()),
                points(figure.series(), p -> p.high() == null ? p.y() : p.high())));
    all = DoubleStream.concat(all, StackedBars.tops(figure.series()));
    if (figure.y().scale() == Figure.Scale.LOGARITHMIC) {
      double[] values = all.filter(value -> value > 0).toArray();
      double low = DoubleStream.of(values).min().orElse(1);
      double high = DoubleStream.of(values).max().orElse(10);
      double reach = Math.pow(Math.max(high / low, 2), 2 * MARGIN);
      return Plot.upwards(low / reach, high * reach, height, true);
    }
    double[] values = all.toArray();
    double low = Math.min(0, DoubleStream.of(values).min().orElse(0));
    double high = Math.max(0, DoubleStream.of(values).max().orElse(1));
    double reach = (high - low) * 2 * MARGIN;
    return Plot.upwards(low < 0 ? low - reach : 0, high + reach, height, false);
  }
}
