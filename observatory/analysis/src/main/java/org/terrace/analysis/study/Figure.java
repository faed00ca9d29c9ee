package org.terrace.analysis.study;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a study, as data that a report draws. Immutable.
 *
 * @param title what it shows; a paper's figure is named as there, for example {@code Figure 3}
 * @param caption how to read it, in a sentence or two
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series what is drawn, in the order of drawing and of the legend
 * @param note what a reader should know beside it; may be empty
 */
public record Figure(
    String title, String caption, Axis x, Axis y, List<Series> series, String note) {

  /** Copies the list. */
  public Figure {
    series = Defaults.list(series);
    note = Defaults.text(note);
  }

  /** The scale of an axis. In files it is the word that {@link #toString} gives. */
  public enum Scale {
    /** Equal differences are equally far apart. */
    LINEAR("linear"),
    /** Equal ratios are equally far apart; values of zero and below lie at the lower end. */
    LOGARITHMIC("logarithmic");

    private final String word;

    Scale(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /** The form in which a series is drawn. In files it is the word that {@link #toString} gives. */
  public enum Kind {
    /** Points joined in the order of x; intervals are a band. */
    LINE("line"),
    /** Points by themselves; intervals are whiskers. */
    POINTS("points"),
    /** A bar from zero for each point; several series stand side by side. */
    BARS("bars"),
    /** A bar for each point; several series with the same x stand one upon another. */
    STACKED_BARS("stacked-bars"),
    /** A bar for each bin, as wide as the bin: from x to xEnd. */
    HISTOGRAM("histogram"),
    /** A span for each point, from x to xEnd on the row y, with its label. */
    TIMELINE("timeline");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * An axis.
   *
   * @param name what it measures
   * @param unit the unit of its values; may be empty
   * @param scale how far apart it puts values
   * @param categories names of the values 0, 1, 2 and so on; empty on an axis of numbers
   */
  public record Axis(String name, String unit, Scale scale, List<String> categories) {
    /** Copies the categories, and fills in what a file left out. */
    public Axis {
      unit = Defaults.text(unit);
      scale = scale == null ? Scale.LINEAR : scale;
      categories = Defaults.list(categories);
    }

    /** A linear axis of numbers. */
    public static Axis linear(String name, String unit) {
      return new Axis(name, unit, Scale.LINEAR, List.of());
    }

    /** A logarithmic axis of numbers. */
    public static Axis logarithmic(String name, String unit) {
      return new Axis(name, unit, Scale.LOGARITHMIC, List.of());
    }

    /** An axis of named places; the first lies at 0, the second at 1. */
    public static Axis of(String name, List<String> categories) {
      return new Axis(name, "", Scale.LINEAR, categories);
    }
  }

  /**
   * A series of points, drawn in one colour.
   *
   * @param name its name in the legend
   * @param kind how it is drawn
   * @param points its points; a report may draw fewer where many share a pixel, and says so
   */
  public record Series(String name, Kind kind, List<Point> points) {
    /** Copies the points. */
    public Series {
      points = Defaults.list(points);
    }
  }

  /**
   * A point, a bar, a bin or a span.
   *
   * @param x where it lies on the horizontal axis; for bins and spans, where they begin
   * @param y where it lies on the vertical axis; for a span, its row
   * @param low the lower end of the interval of y; null where there is none
   * @param high the upper end of the interval of y; null where there is none
   * @param xEnd where a bin or span ends; null for others
   * @param label a word beside it; null where there is none
   */
  public record Point(
      double x,
      double y,
      @Nullable Double low,
      @Nullable Double high,
      @Nullable Double xEnd,
      @Nullable String label) {

    /** Refuses a place that is not finite; ends of intervals that are not finite become null. */
    public Point {
      if (!Double.isFinite(x) || !Double.isFinite(y)) {
        throw new IllegalArgumentException(
            "a point of a figure is finite; leave out (" + x + ", " + y + ")");
      }
      low = Defaults.finite(low);
      high = Defaults.finite(high);
      xEnd = Defaults.finite(xEnd);
    }

    /** A point without an interval. */
    public static Point of(double x, double y) {
      return new Point(x, y, null, null, null, null);
    }

    /** A point with the interval of its y. */
    public static Point of(double x, double y, double low, double high) {
      return new Point(x, y, low, high, null, null);
    }

    /** A bin of a histogram, or a bar with a width. */
    public static Point bin(double from, double to, double y) {
      return new Point(from, y, null, null, to, null);
    }

    /** A span of a time line. */
    public static Point span(double from, double to, int row, String label) {
      return new Point(from, row, null, null, to, label);
    }
  }
}
