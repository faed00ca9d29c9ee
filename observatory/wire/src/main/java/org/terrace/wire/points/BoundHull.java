package org.terrace.wire.points;

import java.util.Arrays;

/**
 * The bounds of one side that decide: a convex chain below upper bounds, or above lower ones, which
 * is held with its sign turned. Confined to one thread while it is built.
 */
final class BoundHull {
  private double[] times = new double[16];
  private double[] values = new double[16];
  private int size;

  /** Adds a point whose time is not before the last one's. */
  void add(double time, double value) {
    if (size > 0 && time == times[size - 1]) {
      if (value >= values[size - 1]) {
        return;
      }
      size--;
    }
    while (size >= 2 && isAbove(time, value)) {
      size--;
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    times[size] = time;
    values[size++] = value;
  }

  /** Whether the last point is not below the line from the one before it to a new one. */
  private boolean isAbove(double time, double value) {
    double before = (values[size - 1] - values[size - 2]) * (time - times[size - 1]);
    double after = (value - values[size - 1]) * (times[size - 1] - times[size - 2]);
    return before >= after;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The slopes of the chain's edges, which rise. */
  double[] slopes() {
    double[] slopes = new double[Math.max(0, size - 1)];
    for (int i = 0; i < slopes.length; i++) {
      slopes[i] = slope(i);
    }
    return slopes;
  }

  private double slope(int edge) {
    return (values[edge + 1] - values[edge]) / (times[edge + 1] - times[edge]);
  }

  /** The largest intercept of a line of a slope that is nowhere above; infinite without points. */
  double intercept(double slope) {
    if (size == 0) {
      return Double.POSITIVE_INFINITY;
    }
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (slope(middle) < slope) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return values[low] - slope * times[low];
  }
}
