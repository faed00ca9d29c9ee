package org.terrace.analysis.tail;

/**
 * The bounds that arithmetic alone sets to a z-score, whatever was measured: a figure that sits on
 * its ceiling is no evidence. Stateless.
 */
public final class Ceilings {
  private Ceilings() {}

  /** The largest z-score that any of n values can have with unbiased sigma: (n-1)/sqrt(n). */
  public static double ofMaximum(int count) {
    return count < 2 ? 0 : (count - 1) / Math.sqrt(count);
  }

  /**
   * The largest z-score of a percentile of any distribution with a variance: sqrt(p/(1-p)), the
   * one-sided inequality of Chebyshev (Cantelli 1928). It is 9.95 for the 99th percentile.
   */
  public static double ofPercentile(double percentile) {
    double p = percentile / 100;
    return Math.sqrt(p / (1 - p));
  }

  /**
   * The largest z-score of the value of a rank in any sample of n with unbiased sigma (Hawkins,
   * 1971); the maximum is the case of rank n.
   */
  public static double ofRank(int rank, int count) {
    return count < 2
        ? 0
        : Math.sqrt(((double) count - 1) * (rank - 1) / ((double) count * (count - rank + 1)));
  }

  /** The largest ratio of a percentile to the mean of values that are not negative (Markov). */
  public static double ofPercentileOverMean(double percentile) {
    return 1 / (1 - percentile / 100);
  }
}
