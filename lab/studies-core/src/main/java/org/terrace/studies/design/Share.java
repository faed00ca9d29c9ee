package org.terrace.studies.design;

import static org.terrace.studies.design.Ledger.text;

import java.util.function.DoublePredicate;

/**
 * A part of some cases with its 95 % interval by Clopper and Pearson, which is exact: it holds the
 * true part with at least that probability whatever it is. Immutable.
 *
 * <p>Source: Clopper, Pearson, "The use of confidence or fiducial limits illustrated in the case of
 * the binomial", Biometrika 26 (1934).
 *
 * @param part how many of the cases, 0 to {@code all}
 * @param all how many cases
 */
public record Share(int part, int all) {
  private static final double TAIL = 0.025;
  private static final int HALVINGS = 60;

  /** Checks the ranges. */
  public Share {
    if (part < 0 || part > all) {
      throw new IllegalArgumentException(part + " of " + all + " cases");
    }
  }

  /** The interval's lower end: the part at which so many cases or more are that improbable. */
  public double low() {
    return part == 0 ? 0 : where(share -> atMost(part - 1, share) >= 1 - TAIL);
  }

  /** The interval's upper end: the part at which so many cases or fewer are that improbable. */
  public double high() {
    return part == all ? 1 : where(share -> atMost(part, share) >= TAIL);
  }

  /** The largest share that meets a condition which all smaller ones meet. */
  private static double where(DoublePredicate condition) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (condition.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The probability of at most so many of all cases, each with the given probability. */
  private double atMost(int most, double share) {
    double sum = 0;
    // By logarithms: of many cases the first terms are too small for a double.
    double logOfTerm = all * Math.log1p(-share);
    for (int i = 0; i <= most; i++) {
      sum += Math.exp(logOfTerm);
      logOfTerm += Math.log((all - i) / (i + 1.0)) + Math.log(share) - Math.log1p(-share);
    }
    return sum;
  }

  /** The part in words, for example {@code 1 of 20 (95 % interval 0.1 to 24.9 %)}. */
  public String describe() {
    return text("%d of %d (95 %% interval %.1f to %.1f %%)", part, all, 100 * low(), 100 * high());
  }
}
