package org.terrace.details;

import org.jspecify.annotations.Nullable;

/**
 * The part of one sum over episodes in another, with a 95 % interval of which each episode is one
 * observation. The interval is of the residuals of the ratio, by Student's quantile; two episodes
 * of mean weight that are in the part and two that are not are put to the others (Agresti and
 * Coull, Approximate is better than "exact" for interval estimation of binomial proportions, 1998),
 * lest a part that was never seen be sure. Episodes of unequal weight tell no more than fewer equal
 * ones, {@code (sum w)^2 / sum w^2} of them (Kish, Survey sampling, 1965): of so many are the mean
 * weight and the degrees of freedom. Immutable.
 *
 * @param share the part, 0 to 1
 * @param low the lower end of the interval; null of fewer than {@value #FEWEST} episodes, or of so
 *     unequal ones that they tell as little as fewer than {@value #FEWEST_EQUAL}
 * @param high the upper end
 */
record EpisodeShare(double share, @Nullable Double low, @Nullable Double high) {
  static final int FEWEST = 3;
  private static final int FEWEST_EQUAL = 2;

  /** The number of imagined episodes that are wholly in the part, and of those that are not. */
  private static final int IMAGINED = 2;

  /** Student's 97.5th percentiles, from one degree of freedom on. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228
  };

  private static final double NORMAL = 1.96;
  private static final double BEYOND = 2.72;

  /** The share of the parts of episodes in the whole of them. */
  static EpisodeShare of(double[] parts, double[] wholes) {
    int count = parts.length;
    double part = 0;
    double whole = 0;
    double wholeSquares = 0;
    for (int i = 0; i < count; i++) {
      part += parts[i];
      whole += wholes[i];
      wholeSquares += wholes[i] * wholes[i];
    }
    double share = whole <= 0 ? 0 : Math.clamp(part / whole, 0, 1);
    double equal = whole * whole / wholeSquares;
    // NaN without any weight.
    if (count < FEWEST || !(equal >= FEWEST_EQUAL)) {
      return new EpisodeShare(share, null, null);
    }
    double mean = whole / equal;
    double imagined = IMAGINED * mean;
    double middle = Math.clamp((part + imagined) / (whole + 2 * imagined), 0, 1);
    double squares = IMAGINED * (Math.pow(mean * (1 - middle), 2) + Math.pow(mean * middle, 2));
    for (int i = 0; i < count; i++) {
      squares += Math.pow(parts[i] - middle * wholes[i], 2);
    }
    double all = equal + 2 * IMAGINED;
    double error = Math.sqrt(squares * all / (all - 1)) / (whole + 2 * imagined);
    double half = quantile(equal - 1) * error;
    return new EpisodeShare(
        share, Math.clamp(middle - half, 0, share), Math.clamp(middle + half, share, 1));
  }

  private static double quantile(double degrees) {
    int below = (int) degrees;
    double low = quantile(below);
    return low + (degrees - below) * (quantile(below + 1) - low);
  }

  private static double quantile(int degrees) {
    return degrees <= STUDENT.length ? STUDENT[degrees - 1] : NORMAL + BEYOND / degrees;
  }
}
