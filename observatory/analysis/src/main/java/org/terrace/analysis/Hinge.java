package org.terrace.analysis;

/**
 * Fits {@code y = slope * min(x, knee)} to points by least absolute error: for each knee of a grid
 * the best slope is a weighted median of {@code y / min(x, knee)}; the grid is then refined once
 * around the best knee. Points must be in ascending order of x, all positive. Confined to one
 * thread; keeps its scratch memory between fits.
 *
 * <p>A fit takes O(points * log(points) * grid) at worst; points are few.
 */
final class Hinge {
  private static final int COARSE_STEPS = 32;
  private static final int FINE_STEPS = 8;

  private final double[] ratio;
  private final double[] weight;

  /** The best knee of the last fit. */
  double knee;

  /** The best slope of the last fit. */
  double slope;

  /** The sum of absolute errors of the last fit. */
  double error;

  Hinge(int pointsLimit) {
    ratio = new double[pointsLimit];
    weight = new double[pointsLimit];
  }

  /** Fits the first {@code points} points. */
  void fit(double[] x, double[] y, int points) {
    error = Double.POSITIVE_INFINITY;
    double low = x[0];
    double high = x[points - 1];
    double step = (high - low) / COARSE_STEPS;
    for (int i = 0; i <= COARSE_STEPS; i++) {
      tryKnee(x, y, points, low + i * step);
    }
    double best = knee;
    double fineStep = step / FINE_STEPS;
    for (int i = 1 - FINE_STEPS; i < FINE_STEPS; i++) {
      double candidate = best + i * fineStep;
      if (candidate >= low && candidate <= high) {
        tryKnee(x, y, points, candidate);
      }
    }
  }

  /** Fits the proportional line, a hinge whose knee is beyond every point. */
  double proportionalError(double[] x, double[] y, int points) {
    double a = bestSlope(x, y, points, Double.POSITIVE_INFINITY);
    return absoluteError(x, y, points, Double.POSITIVE_INFINITY, a);
  }

  private void tryKnee(double[] x, double[] y, int points, double candidate) {
    double a = bestSlope(x, y, points, candidate);
    double sum = absoluteError(x, y, points, candidate, a);
    if (sum < error) {
      error = sum;
      knee = candidate;
      slope = a;
    }
  }

  private static double absoluteError(
      double[] x, double[] y, int points, double candidate, double a) {
    double sum = 0;
    for (int i = 0; i < points; i++) {
      sum += Math.abs(y[i] - a * Math.min(x[i], candidate));
    }
    return sum;
  }

  private double bestSlope(double[] x, double[] y, int points, double candidate) {
    double total = 0;
    for (int i = 0; i < points; i++) {
      double z = Math.min(x[i], candidate);
      double r = y[i] / z;
      total += z;
      int at = i;
      while (at > 0 && ratio[at - 1] > r) {
        ratio[at] = ratio[at - 1];
        weight[at] = weight[at - 1];
        at--;
      }
      ratio[at] = r;
      weight[at] = z;
    }
    double half = total / 2;
    double cumulative = 0;
    for (int i = 0; i < points; i++) {
      cumulative += weight[i];
      if (cumulative >= half) {
        return ratio[i];
      }
    }
    return ratio[points - 1];
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
