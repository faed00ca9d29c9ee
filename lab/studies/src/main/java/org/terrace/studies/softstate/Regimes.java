package org.terrace.studies.softstate;

import static org.terrace.studies.design.Ledger.millis;
import static org.terrace.studies.design.Ledger.text;

/**
 * Stale reads before, during and after an overload.
 *
 * @param before stale reads before it
 * @param readsBefore all reads before it
 * @param during stale reads in bins that it touches
 * @param readsDuring all reads in those
 * @param after stale reads after it
 * @param readsAfter all reads after it
 * @param recoverySeconds from its end to the end of the last bin with a stale read
 */
record Regimes(
    long before,
    long readsBefore,
    long during,
    long readsDuring,
    long after,
    long readsAfter,
    double recoverySeconds) {

  static Regimes of(StalenessRun.Result result) {
    return of(result, result.victims());
  }

  static Regimes of(StalenessRun.Result result, StalenessRun.Reads reads) {
    long[] stale = new long[3];
    long[] all = new long[3];
    double recovery = 0;
    for (int bin = 0; bin < reads.reads().length; bin++) {
      double from = (double) bin * result.binSeconds();
      double to = from + result.binSeconds();
      int regime = to <= result.attackFrom() ? 0 : from < result.attackTo() ? 1 : 2;
      stale[regime] += reads.stale()[bin];
      all[regime] += reads.reads()[bin];
      if (reads.stale()[bin] > 0) {
        recovery = Math.max(recovery, to - result.attackTo());
      }
    }
    return new Regimes(stale[0], all[0], stale[1], all[1], stale[2], all[2], recovery);
  }

  private static double share(long some, long all) {
    return all == 0 ? 0 : (double) some / all;
  }

  double beforeShare() {
    return share(before, readsBefore);
  }

  double duringShare() {
    return share(during, readsDuring);
  }

  double afterShare() {
    return share(after, readsAfter);
  }

  String describe() {
    return text(
        "stale before %,d of %,d (%.2f %%), during %,d of %,d (%.2f %%), after %,d of %,d (%.2f %%)",
        before,
        readsBefore,
        100 * beforeShare(),
        during,
        readsDuring,
        100 * duringShare(),
        after,
        readsAfter,
        100 * afterShare());
  }

  static String latency(Latency latency) {
    return text(
        "mean %s, p50 %s, p99 %s, n = %,d",
        millis(latency.mean()), millis(latency.p50()), millis(latency.p99()), latency.count());
  }
}
