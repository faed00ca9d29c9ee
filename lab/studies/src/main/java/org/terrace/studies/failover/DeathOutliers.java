package org.terrace.studies.failover;

import static org.terrace.studies.design.Ledger.millis;
import static org.terrace.studies.design.Ledger.text;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.core.Percentiles;
import org.terrace.studies.design.Share;
import org.terrace.studies.services.StruckService.Strike;

/**
 * The number of deaths of a replica that stand out: of the windows of 200 ms that begin with a
 * death, those whose longest call exceeds the longest call of 95 % of the windows as long in which
 * all replicas stood. The longest call of a window is that of all calls under way at some time in
 * it. Where a death is of no consequence, one in twenty stands out by chance.
 *
 * @param deaths windows that begin with a death and saw a call
 * @param outliers how many of them stand out
 * @param usual windows without a death
 * @param limitNanos what the longest call of 95 % of those does not exceed; 0 where there are too
 *     few to tell
 */
record DeathOutliers(int deaths, int outliers, int usual, long limitNanos) {
  static final long WINDOW_NANOS = 200_000_000;

  /** The part of usual windows that stand out by definition. */
  static final double BY_CHANCE = 0.05;

  /** The upper end of the interval that "no outlier" allows: fewer than one death in four. */
  static final double MOST = 0.25;

  private static final double USUAL_PERCENTILE = 95;
  private static final int FEWEST_USUAL = 20;

  static DeathOutliers of(StepResult result) {
    long[] usual = usual(result);
    long[] longest =
        result.faults().stream()
            .mapToLong(fault -> longest(result, fault.atNanos()))
            .filter(nanos -> nanos > 0)
            .toArray();
    if (usual.length < FEWEST_USUAL) {
      return new DeathOutliers(longest.length, 0, usual.length, 0);
    }
    long limit = Percentiles.ofSorted(usual, USUAL_PERCENTILE);
    int outliers = (int) Arrays.stream(longest).filter(nanos -> nanos > limit).count();
    return new DeathOutliers(longest.length, outliers, usual.length, limit);
  }

  /** The longest calls of the windows between a repair and the next death, the shortest first. */
  private static long[] usual(StepResult result) {
    if (result.probes().rows().size() == 0) {
      return new long[0];
    }
    LongStream.Builder all = LongStream.builder();
    long from = result.probes().rows().startNanos()[0];
    for (Strike fault : result.faults()) {
      windows(result, from, fault.atNanos(), all);
      // After a fault that was not repaired, nothing is usual.
      from =
          fault.restoredAfterNanos().isPresent()
              ? Math.max(fault.restoredAfterNanos().getAsLong(), WINDOW_NANOS) + fault.atNanos()
              : Long.MAX_VALUE;
    }
    long end = Arrays.stream(result.probes().rows().endNanos()).max().orElse(from);
    windows(result, from, end, all);
    return all.build().sorted().toArray();
  }

  private static void windows(StepResult result, long from, long to, LongStream.Builder all) {
    for (long at = from; at <= to - WINDOW_NANOS; at += WINDOW_NANOS) {
      long longest = longest(result, at);
      if (longest > 0) {
        all.add(longest);
      }
    }
  }

  /** The length of the longest call that was under way in the window from then on; 0 for none. */
  private static long longest(StepResult result, long atNanos) {
    long[] starts = result.probes().rows().startNanos();
    long[] ends = result.probes().rows().endNanos();
    long longest = 0;
    for (int row = 0; row < starts.length; row++) {
      if (starts[row] < atNanos + WINDOW_NANOS && ends[row] >= atNanos) {
        longest = Math.max(longest, ends[row] - starts[row]);
      }
    }
    return longest;
  }

  /** The part of deaths that stand out, with its interval. */
  Share share() {
    return new Share(outliers, deaths);
  }

  Verdict verdict() {
    if (limitNanos == 0 || deaths == 0) {
      return Verdict.CANNOT_TELL;
    }
    boolean more = share().low() > BY_CHANCE;
    boolean few = share().high() < MOST;
    if (few) {
      return more ? Verdict.PARTLY : Verdict.REPRODUCED;
    }
    return more ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
  }

  String describe() {
    return limitNanos == 0
        ? text("%d windows without a death: too few to say what is usual", usual)
        : text(
            "%s deaths stand out from what 95 %% of %,d windows without one keep, %s",
            share().describe(), usual, millis(limitNanos / 1e6));
  }
}
