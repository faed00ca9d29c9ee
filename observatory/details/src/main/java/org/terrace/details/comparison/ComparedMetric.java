package org.terrace.details.comparison;

import org.jspecify.annotations.Nullable;

/**
 * One figure of two sets of results, side by side. Immutable.
 *
 * @param metric what it is
 * @param before its mean over the results before: geometric where ratios count
 * @param after its mean over the results after
 * @param runsBefore how many results before
 * @param runsAfter how many results after
 * @param change the ratio {@code after / before}, or the difference {@code after - before}
 * @param low the lower end of the change's {@value ResultComparison#CONFIDENCE} interval; null
 *     where a side has one result only, since one tells nothing of how much results differ
 * @param high the upper end of that interval
 * @param verdict what can be said of it
 */
public record ComparedMetric(
    Metric metric,
    double before,
    double after,
    int runsBefore,
    int runsAfter,
    double change,
    @Nullable Double low,
    @Nullable Double high,
    Verdict verdict) {
  /** The judgement of a change, given a margin that does not matter. */
  public enum Verdict {
    /** The whole interval is better than the margin on the good side. */
    BETTER("better"),
    /** The whole interval is no worse than the margin. */
    SAME("same"),
    /** The whole interval is worse than the margin. */
    WORSE("worse"),
    /** The interval reaches across the margin, or there is none. */
    UNKNOWN("cannot tell");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    /** The words of a report. */
    @Override
    public String toString() {
      return words;
    }
  }
}
