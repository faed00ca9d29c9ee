package org.terrace.analysis.congestion;

/**
 * Fits {@code y = slope * min(x, knee)} to points by least absolute error: for each knee of a grid
 * the best slope is a weighted median of {@code y / min(x, knee)}; the grid is then refined once
 * around the best knee. Points must be in ascending order of x, all positive. Confined to one
 * thread; keeps its scratch memory between fits.
 *
 * <p>A fit takes O(points * log(points) * grid) at worst; points are few.
 */
final class Hinge {
  private static final int FINE_STEPS = 16;

  private final double[] ratio;
  private final int[] order;
  private int ordered;

  /** The best knee of the last fit. */
  double knee;

  /** The best slope of the last fit. */
  double slope;

  /** The sum of absolute errors of the last fit. */
  double error;

  Hinge(int pointsLimit) {
    ratio = new double[pointsLimit];
    order = new int[pointsLimit];
  }

  /** Fits the first {@code points} points. */
  void fit(double[] x, double[] y, int points) {
    error = Double.POSITIVE_INFINITY;
    int best = 0;
    for (int i = 0; i < points; i++) {
      if (tryKnee(x, y, points, x[i])) {
        best = i;
      }
    }
    double low = x[Math.max(0, best - 1)];
    double high = x[Math.min(points - 1, best + 1)];
    for (int i = 1; i < FINE_STEPS; i++) {
      tryKnee(x, y, points, low + (high - low) * i / FINE_STEPS);
    }
  }

  /** Fits the proportional line, a hinge whose knee is beyond every point. */
  double proportionalError(double[] x, double[] y, int points) {
    double a = bestSlope(x, y, points, Double.POSITIVE_INFINITY);
    return absoluteError(x, y, points, Double.POSITIVE_INFINITY, a);
  }

  private boolean tryKnee(double[] x, double[] y, int points, double candidate) {
    double a = bestSlope(x, y, points, candidate);
    double sum = absoluteError(x, y, points, candidate, a);
    if (sum < error) {
      error = sum;
      knee = candidate;
      slope = a;
      return true;
    }
    return false;
  }

  private static double absoluteError(
      double[] x, double[] y, int points, double candidate, double a) {
    double sum = 0;
    for (int i = 0; i < points; i++) {
      sum += Math.abs(y[i] - a * Math.min(x[i], candidate));
    }
    return sum;
  }

  /** The weighted median of {@code y / z} with weights {@code z = min(x, candidate)}. */
  private double bestSlope(double[] x, double[] y, int points, double candidate) {
    if (points != ordered) {
      for (int i = 0; i < points; i++) {
        order[i] = i;
      }
      ordered = points;
    }
    double total = 0;
    for (int i = 0; i < points; i++) {
      double z = Math.min(x[i], candidate);
      ratio[i] = y[i] / z;
      total += z;
    }
    // The order of the candidate before is nearly right, so insertion takes few steps.
    for (int i = 1; i < points; i++) {
      int point = order[i];
      double value = ratio[point];
      int at = i;
      while (at > 0 && ratio[order[at - 1]] > value) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = point;
    }
    double half = total / 2;
    double cumulative = 0;
    for (int i = 0; i < points; i++) {
      int point = order[i];
      cumulative += Math.min(x[point], candidate);
      if (cumulative >= half) {
        return ratio[point];
      }
    }
    return ratio[order[points - 1]];
  }

  /**
   * The least sum of absolute errors of any straight line, which some line through two of the
   * points attains. O(points^3).
   */
  static double lineError(double[] x, double[] y, int points) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < points; i++) {
      for (int j = i + 1; j < points; j++) {
        if (x[j] > x[i]) {
          double a = (y[j] - y[i]) / (x[j] - x[i]);
          double b = y[i] - a * x[i];
          double sum = 0;
          for (int k = 0; k < points && sum < best; k++) {
            sum += Math.abs(y[k] - a * x[k] - b);
          }
          best = Math.min(best, sum);
        }
      }
    }
    return best;
  }
}
