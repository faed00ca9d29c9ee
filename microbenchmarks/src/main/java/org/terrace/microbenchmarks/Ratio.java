package org.terrace.microbenchmarks;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The time that a benchmark takes at a new commit relative to an old one, estimated from pairs of
 * runs that followed each other at once. Immutable.
 *
 * <p>Each pair gives {@code ln(new / old)}, in which what slowed both runs down cancels. The ratio
 * is the geometric mean; the interval is Student's for the mean of these logarithms with {@code
 * pairs - 1} degrees of freedom, on the assumption that they are independent and about normal. It
 * misses the true ratio in one of a hundred comparisons; intervals are not widened for the number
 * of benchmarks compared.
 *
 * @param ratio new over old: above 1 the new commit is slower
 * @param low the lower end of the interval
 * @param high the upper end of the interval
 * @param pairs how many pairs of runs there were, at least 2
 */
record Ratio(double ratio, double low, double high, int pairs) {
  /** The probability with which the interval misses. */
  static final double MISSES = 0.01;

  /** The verdict that the interval allows. */
  enum Verdict {
    /** The whole interval is below 1. */
    FASTER("faster"),
    /** The whole interval is above 1. */
    SLOWER("SLOWER"),
    /** The interval holds 1. */
    CANNOT_TELL("cannot tell");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * The ratio of paired times.
   *
   * @param before the times at the old commit, positive, at least 2
   * @param after the times at the new commit, the i-th measured beside the i-th before
   */
  static Ratio of(List<Double> before, List<Double> after) {
    int pairs = before.size();
    if (pairs < 2 || after.size() != pairs) {
      throw new IllegalArgumentException(
          "a ratio takes two pairs or more, got " + pairs + " old and " + after.size() + " new");
    }
    double[] logarithms = new double[pairs];
    double sum = 0;
    for (int i = 0; i < pairs; i++) {
      if (!(before.get(i) > 0 && after.get(i) > 0)) {
        throw new IllegalArgumentException(
            "times are positive, got " + before.get(i) + " and " + after.get(i));
      }
      logarithms[i] = Math.log(after.get(i) / before.get(i));
      sum += logarithms[i];
    }
    double mean = sum / pairs;
    double squares = 0;
    for (double logarithm : logarithms) {
      squares += (logarithm - mean) * (logarithm - mean);
    }
    double standardError = Math.sqrt(squares / (pairs - 1) / pairs);
    double reach =
        TDistribution.of(pairs - 1).inverseSurvivalProbability(MISSES / 2) * standardError;
    return new Ratio(Math.exp(mean), Math.exp(mean - reach), Math.exp(mean + reach), pairs);
  }

  /** The judgement that the interval allows of the new commit. */
  Verdict verdict() {
    if (low > 1) {
      return Verdict.SLOWER;
    }
    return high < 1 ? Verdict.FASTER : Verdict.CANNOT_TELL;
  }
}
