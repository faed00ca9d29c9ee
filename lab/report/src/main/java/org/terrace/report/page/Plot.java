package org.terrace.report.page;

import java.util.function.DoubleFunction;

/** The frame of a static chart: an SVG with two scales, their ticks and their names. */
public final class Plot {
  public static final int LEFT = 58;
  public static final int RIGHT = 18;
  public static final int TOP = 14;
  public static final int BOTTOM = 40;

  private final Markup svg = new Markup();
  private final int width;
  private final int height;
  private final Scale x;
  private final Scale y;

  public Plot(int width, int height, Scale x, Scale y, String label) {
    this.width = width;
    this.height = height;
    this.x = x;
    this.y = y;
    svg.open(
        "svg",
        "viewBox",
        "0 0 " + width + " " + height,
        "role",
        "img",
        "aria-label",
        label,
        "class",
        "plot");
  }

  /** The horizontal scale of a plot of that width. */
  public static Scale across(double from, double to, int width, boolean logarithmic) {
    return logarithmic
        ? Scale.logarithmic(from, to, LEFT, width - RIGHT)
        : Scale.linear(from, to, LEFT, width - RIGHT);
  }

  /** The vertical scale of a plot of that height. */
  public static Scale upwards(double from, double to, int height, boolean logarithmic) {
    return logarithmic
        ? Scale.logarithmic(from, to, height - BOTTOM, TOP)
        : Scale.linear(from, to, height - BOTTOM, TOP);
  }

  /** Grid lines with their values across, and the name of what is measured below. */
  public Plot horizontal(int ticks, DoubleFunction<String> show, String name) {
    String bottom = Quantity.coordinate(height - BOTTOM);
    for (double tick : x.ticks(ticks)) {
      String at = Quantity.coordinate(x.at(tick));
      svg.empty("line", "x1", at, "x2", at, "y1", "" + TOP, "y2", bottom, "class", "grid");
      text(show.apply(tick), x.at(tick), height - BOTTOM + 15, "tick middle");
    }
    text(name, width - RIGHT, height - 6, "name end");
    return this;
  }

  /** Grid lines with their values upwards, and the name of what is measured on top. */
  public Plot vertical(int ticks, DoubleFunction<String> show) {
    for (double tick : y.ticks(ticks)) {
      String at = Quantity.coordinate(y.at(tick));
      svg.empty(
          "line", "x1", "" + LEFT, "x2", "" + (width - RIGHT), "y1", at, "y2", at, "class", "grid");
      text(show.apply(tick), LEFT - 6, y.at(tick) + 4, "tick end");
    }
    return this;
  }

  public Plot text(String text, double atX, double atY, String style) {
    svg.leaf(
        "text", text, "x", Quantity.coordinate(atX), "y", Quantity.coordinate(atY), "class", style);
    return this;
  }

  public Plot path(String data, String style) {
    svg.empty("path", "d", data.isEmpty() ? "M0 0" : data, "class", style);
    return this;
  }

  public Plot rectangle(double fromX, double fromY, double toX, double toY, String style) {
    svg.empty(
        "rect",
        "x",
        Quantity.coordinate(Math.min(fromX, toX)),
        "y",
        Quantity.coordinate(Math.min(fromY, toY)),
        "width",
        Quantity.coordinate(Math.abs(toX - fromX)),
        "height",
        Quantity.coordinate(Math.abs(toY - fromY)),
        "class",
        style);
    return this;
  }

  /** A vertical line through a value. */
  public Plot upright(double value, String style) {
    String at = Quantity.coordinate(x.at(value));
    return path("M" + at + " " + TOP + "V" + Quantity.coordinate(height - BOTTOM), style);
  }

  /** A line through points given by value. */
  public String line(double[] xs, double[] ys) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < xs.length; i++) {
      path.append(i == 0 ? 'M' : 'L').append(point(xs[i], ys[i]));
    }
    return path.toString();
  }

  public String point(double atX, double atY) {
    return Quantity.coordinate(x.at(atX)) + " " + Quantity.coordinate(y.at(atY));
  }

  public Markup done() {
    return svg.close();
  }
}
