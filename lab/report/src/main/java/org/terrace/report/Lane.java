package org.terrace.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One chart of the time line: up to two tracks over the common axis of time.
 *
 * @param title what it shows
 * @param format how its values are written
 * @param height its height in CSS pixels
 * @param top the value at its upper edge
 * @param server the server whose stalls and events it shows; empty for none
 * @param lines its tracks with their names and colours
 * @param mark the congestion point, drawn across; null for none
 */
record Lane(
    String title,
    Format format,
    int height,
    double top,
    String server,
    List<Line> lines,
    @Nullable Mark mark) {

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
