package org.terrace.report;

import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Percentiles;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;
import org.terrace.report.page.Track;

/**
 * One chart of the time line: up to two tracks over the common axis of time.
 *
 * @param title what it shows
 * @param format how its values are written
 * @param height its height in CSS pixels
 * @param top the value at its upper edge
 * @param floor the value at its lower edge where it is drawn by logarithm; 0 where it never is
 * @param spiked whether its highest value would flatten the rest, so that it is drawn by logarithm
 *     unless the reader asks otherwise
 * @param server the server whose stalls and events it shows; empty for none
 * @param lines its tracks with their names and colours
 * @param mark the congestion point, drawn across; null for none
 */
record Lane(
    String title,
    Format format,
    int height,
    double top,
    double floor,
    boolean spiked,
    String server,
    List<Line> lines,
    @Nullable Mark mark) {

  /** A value this many times the median flattens the rest. */
  private static final double SPIKE = 20;

  /** The values from this percentile upwards are within a logarithmic scale. */
  private static final double LOWEST = 5;

  /** The longest logarithmic scale: four powers of ten. */
  private static final double RANGE = 1e4;

  /** A lane on which a logarithmic scale may be of use, if its tracks say so. */
  static Lane scalable(
      String title,
      Format format,
      int height,
      String server,
      List<Line> lines,
      @Nullable Mark mark) {
    double[] values =
        lines.stream()
            .flatMapToDouble(line -> DoubleStream.of(line.track().greatest()))
            .filter(value -> value > 0)
            .sorted()
            .toArray();
    double top = values.length == 0 ? 1 : Scale.roundUp(values[values.length - 1]);
    double low = values.length == 0 ? top : Percentiles.ofSorted(values, LOWEST);
    double floor = Math.pow(10, Math.floor(Math.log10(Math.max(low, top / RANGE))));
    return new Lane(
        title,
        format,
        height,
        top,
        Math.min(floor, top / 10),
        values.length > 0 && values[values.length - 1] > SPIKE * Percentiles.ofSorted(values, 50),
        server,
        lines,
        mark);
  }

  /** A lane with a linear scale. */
  static Lane linear(
      String title, Format format, int height, double top, String server, List<Line> lines) {
    return new Lane(title, format, height, top, 0, false, server, lines, null);
  }

  /** The scale of its values between two coordinates, as it is drawn unless asked otherwise. */
  Scale scale(double bottom, double upper) {
    return spiked
        ? Scale.logarithmic(floor, top, bottom, upper)
        : Scale.linear(0, top, bottom, upper);
  }

  /** The values that are written beside it. */
  List<Double> ticks() {
    return spiked ? Scale.logarithmic(floor, top, 0, 1).powers() : List.of(0.0, top);
  }

  /** The form in which values are written. */
  enum Format {
    NUMBER,
    RATE,
    MICROS,
    PART
  }

  /** A track, its name where the lane has several, and the name of its colour. */
  record Line(String name, String style, Track track) {}

  /** A level with its interval. */
  record Mark(double at, double low, double high, String label) {}

  /** A value beside the axis, whose unit the title tells where it is long. */
  String tick(double value) {
    if (value == 0) {
      return "0";
    }
    return switch (format) {
      case NUMBER, RATE -> Quantity.number(value);
      case MICROS -> Quantity.micros(value);
      case PART -> Quantity.percent(value);
    };
  }
}
