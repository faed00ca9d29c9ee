package org.terrace.report.page;

import java.util.ArrayList;
import java.util.List;

/**
 * Maps values to a stretch of a drawing, linearly or by logarithm, and knows where its round values
 * lie. Immutable.
 *
 * @param from the value at the start
 * @param to the value at the end
 * @param start the coordinate of the start
 * @param end the coordinate of the end; before the start when values grow upwards
 * @param logarithmic whether equal ratios, rather than differences, are equally far apart
 */
public record Scale(double from, double to, double start, double end, boolean logarithmic) {
  private static final double[] STEPS = {1, 2, 2.5, 5, 10};

  /** A logarithmic scale this long has ticks at powers of ten only. */
  private static final double MANY_DECADES = 2.4;

  public static Scale linear(double from, double to, double start, double end) {
    return new Scale(from, to > from ? to : from + 1, start, end, false);
  }

  public static Scale logarithmic(double from, double to, double start, double end) {
    return new Scale(from, to > from ? to : from * 10, start, end, true);
  }

  public double at(double value) {
    double part =
        logarithmic
            ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
            : (value - from) / (to - from);
    return start + Math.clamp(part, 0, 1) * (end - start);
  }

  /** The value at a part of the way from the start to the end. */
  public double value(double part) {
    return logarithmic ? from * Math.pow(to / from, part) : from + part * (to - from);
  }

  /** Round values, about as many as asked for; on a long logarithmic scale the powers of ten. */
  public List<Double> ticks(int about) {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      boolean many = Math.log10(to / from) < MANY_DECADES;
      for (double power = Math.pow(10, Math.floor(Math.log10(from)));
          power <= to * (1 + 1e-9);
          power *= 10) {
        for (double step : many ? new double[] {1, 2, 5} : new double[] {1}) {
          if (power * step >= from * (1 - 1e-9) && power * step <= to * (1 + 1e-9)) {
            ticks.add(power * step);
          }
        }
      }
      return ticks;
    }
    double step = step(about);
    for (double tick = Math.ceil(from / step - 1e-9) * step;
        tick <= to + step * 1e-9;
        tick += step) {
      ticks.add(Math.abs(tick) < step * 1e-9 ? 0 : tick);
    }
    return ticks;
  }

  /** The powers of ten of a logarithmic scale, and its end. */
  public List<Double> powers() {
    List<Double> powers = new ArrayList<>();
    for (double power = from; power < to / 4; power *= 10) {
      powers.add(power);
    }
    powers.add(to);
    return powers;
  }

  /** The smallest round number that is at least {@code value}. */
  public static double roundUp(double value) {
    if (!(value > 0)) {
      return 1;
    }
    double magnitude = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : new double[] {1, 1.5, 2, 3, 4, 5, 6, 8}) {
      if (value <= step * magnitude * (1 + 1e-9)) {
        return step * magnitude;
      }
    }
    return 10 * magnitude;
  }

  private double step(int about) {
    double raw = (to - from) / about;
    double magnitude = Math.pow(10, Math.floor(Math.log10(raw)));
    for (double step : STEPS) {
      if (raw <= step * magnitude * (1 + 1e-9)) {
        return step * magnitude;
      }
    }
    return 10 * magnitude;
  }
}
