package org.terrace.load;

/**
 * The rate at which the users of a closed load are expected to ask within the run phase: the time
 * that they spent thinking there over the mean think time. It holds whether or not the load is
 * steady, since who thinks does not know how long others wait: a queue that still grows at the end
 * of the run makes them neither faster nor slower. The interactive response time law, users over
 * the mean of think and response times, would need a steady load: the longest responses of a server
 * with too much to do begin before the run, or end behind it. Users who think for less than {@value
 * #BRIEF_THINK_NANOS} ns are held to that law all the same: the lateness of timers is a large part
 * of so short a time, and who does not think at all spends none. Times are those of one monotonic
 * clock, in nanoseconds. Not thread-safe.
 */
final class ClosedRate {
  private static final long BRIEF_THINK_NANOS = 100_000_000;

  private long runStartNanos = Long.MAX_VALUE;
  private long runEndNanos = Long.MAX_VALUE;
  private double waitingNanos;

  void startRun(long elapsedNanos) {
    runStartNanos = elapsedNanos;
  }

  void endRun(long elapsedNanos) {
    runEndNanos = elapsedNanos;
  }

  /** Adds a page of any phase, of which the part within the run counts. */
  void add(long startNanos, long endNanos) {
    waitingNanos +=
        Math.max(0, Math.min(endNanos, runEndNanos) - Math.max(startNanos, runStartNanos));
  }

  /**
   * The pages a second that are expected of the run.
   *
   * @param runNanos the length of the run
   * @param meanThinkNanos the mean think time of its pages, 0 or more
   * @param meanResponseNanos their mean response time; 0 if there were none
   */
  double perSecond(int users, double runNanos, double meanThinkNanos, double meanResponseNanos) {
    if (meanThinkNanos < BRIEF_THINK_NANOS) {
      double cycleNanos = meanThinkNanos + meanResponseNanos;
      return cycleNanos > 0 ? users * 1e9 / cycleNanos : 0;
    }
    double thinkingNanos = Math.max(0, users * runNanos - waitingNanos);
    return runNanos > 0 ? thinkingNanos / meanThinkNanos * 1e9 / runNanos : 0;
  }
}
