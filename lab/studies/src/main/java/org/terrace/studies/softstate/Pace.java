package org.terrace.studies.softstate;

/**
 * The reads answered a second before and during an overload, by the bins that lie wholly before it
 * and wholly in it.
 *
 * @param before reads a second before it; NaN if no bin does
 * @param during reads a second during it; NaN if no bin does
 * @param failedDuring reads that failed during it
 */
record Pace(double before, double during, long failedDuring) {
  static Pace of(StalenessRun.Result result, StalenessRun.Reads reads) {
    long[] answered = new long[2];
    long[] bins = new long[2];
    long failed = 0;
    for (int bin = 0; bin < reads.reads().length; bin++) {
      double from = (double) bin * result.binSeconds();
      double to = from + result.binSeconds();
      if (to <= result.attackFrom()) {
        answered[0] += reads.reads()[bin];
        bins[0]++;
      } else if (from >= result.attackFrom() && to <= result.attackTo()) {
        answered[1] += reads.reads()[bin];
        failed += reads.failed()[bin];
        bins[1]++;
      }
    }
    return new Pace(
        rate(answered[0], bins[0] * result.binSeconds()),
        rate(answered[1], bins[1] * result.binSeconds()),
        failed);
  }

  private static double rate(long answered, long seconds) {
    return seconds == 0 ? Double.NaN : (double) answered / seconds;
  }

  boolean isKnown() {
    return before > 0 && !Double.isNaN(during);
  }

  /** The share of the pace before that was kept during. */
  double kept() {
    return during / before;
  }
}
