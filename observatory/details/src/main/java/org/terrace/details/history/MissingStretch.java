package org.terrace.details.history;

import org.jspecify.annotations.Nullable;
import org.terrace.details.comparison.ComparedMetric.Verdict;

/**
 * Results in a row, after one that has a figure, that lack it: as a response time where nobody was
 * answered. Immutable.
 *
 * @param at the label of the first of them
 * @param results their number, 1 or more
 * @param backAt the label of the first result after them that has the figure; null where none has
 */
public record MissingStretch(String at, int results, @Nullable String backAt) {
  /** Checks the number. */
  public MissingStretch {
    if (results < 1) {
      throw new IllegalArgumentException("expected a result that lacks the figure");
    }
  }

  /** The verdict on it, that on a figure which the results of the later of two sides lack. */
  public Verdict verdict() {
    return Verdict.WORSE;
  }
}
