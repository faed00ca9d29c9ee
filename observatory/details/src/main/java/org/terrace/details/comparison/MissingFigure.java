package org.terrace.details.comparison;

import org.terrace.details.comparison.ComparedMetric.Verdict;

/**
 * A figure that some of the results compared have and others lack, as a response time where nobody
 * was answered. Immutable.
 *
 * @param metric the figure
 * @param lackingBefore how many of the results before lack it
 * @param lackingAfter how many of the results after lack it; one of the two is above 0
 */
public record MissingFigure(Metric metric, int lackingBefore, int lackingAfter) {
  /** The verdict on it: worse if it was lost, nothing if it was not there before either. */
  public Verdict verdict() {
    return lackingBefore == 0 ? Verdict.WORSE : Verdict.UNKNOWN;
  }
}
