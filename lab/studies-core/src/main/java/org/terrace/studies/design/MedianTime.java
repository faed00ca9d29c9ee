package org.terrace.studies.design;

import static org.terrace.studies.design.Ledger.text;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.tail.OrderStatistics;
import org.terrace.analysis.tail.PercentileInterval;
import org.terrace.core.Percentiles;

/**
 * The median of some times in milliseconds, with its 95 % interval by order statistics. Immutable.
 *
 * @param count how many times
 * @param millis the median; not a number where there is none
 * @param lowMillis the interval's lower end; null where the times are too few, which fewer than six
 *     are
 * @param highMillis the interval's upper end; null where the times are too few
 * @param largestMillis the longest time; not a number where there is none
 */
public record MedianTime(
    int count,
    double millis,
    @Nullable Double lowMillis,
    @Nullable Double highMillis,
    double largestMillis) {
  private static final double MEDIAN = 50;
  private static final double CONFIDENCE = 0.95;
  private static final double NANOS = 1e6;

  /** The median of times in nanoseconds, the shortest first. */
  public static MedianTime of(long[] sortedNanos) {
    if (sortedNanos.length == 0) {
      return new MedianTime(0, Double.NaN, null, null, Double.NaN);
    }
    PercentileInterval interval = OrderStatistics.interval(sortedNanos, MEDIAN, CONFIDENCE);
    Long low = interval.lowNanos();
    Long high = interval.highNanos();
    return new MedianTime(
        sortedNanos.length,
        interval.valueNanos() / NANOS,
        low == null ? null : low / NANOS,
        high == null ? null : high / NANOS,
        sortedNanos[sortedNanos.length - 1] / NANOS);
  }

  /** The median alone, in milliseconds, of times in nanoseconds, the shortest first. */
  public static double millisOf(long[] sortedNanos) {
    return sortedNanos.length == 0 ? Double.NaN : Percentiles.ofSorted(sortedNanos, MEDIAN) / NANOS;
  }

  /**
   * The verdict on the claim that the median is at most so much: reproduced where the whole
   * interval is, not reproduced where none of it is, and otherwise the times are too few to tell.
   */
  public Verdict isAtMost(double limitMillis) {
    if (lowMillis == null || highMillis == null) {
      return Verdict.CANNOT_TELL;
    }
    return highMillis <= limitMillis
        ? Verdict.REPRODUCED
        : lowMillis > limitMillis ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
  }

  /** The verdict on several claims of which all must hold. */
  public static Verdict all(List<Verdict> parts) {
    if (parts.contains(Verdict.NOT_REPRODUCED)) {
      return Verdict.NOT_REPRODUCED;
    }
    return parts.isEmpty() || parts.contains(Verdict.CANNOT_TELL)
        ? Verdict.CANNOT_TELL
        : Verdict.REPRODUCED;
  }

  /** The median with its interval and the number of times. */
  public String describe() {
    if (count == 0) {
      return "none, n = 0";
    }
    return lowMillis == null || highMillis == null
        ? text("median %s (n = %d: too few for an interval)", Ledger.millis(millis), count)
        : text(
            "median %s (95 %% interval %s to %s, n = %d)",
            Ledger.millis(millis), Ledger.millis(lowMillis), Ledger.millis(highMillis), count);
  }

  /** The same, and the longest time. */
  public String describeWithLargest() {
    return count == 0 ? describe() : describe() + ", largest " + Ledger.millis(largestMillis);
  }
}
