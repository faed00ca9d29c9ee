package org.terrace.load;

/**
 * The rate at which the users of a closed load are expected to ask within the run phase: that which
 * they had, had they asked again just when they had thought, and thought for as long as planned.
 *
 * <p>The time of a user in the run is time in which it waits for a page, time in which it thinks,
 * and the rest, in which it was to have asked: the lateness of the generator, or the time of a user
 * that was lost. So users who wait for a slow or silent service are no fault of the generator,
 * however long a page takes, and whether or not it begins or ends in the run; and it holds for
 * every think time, none at all among them. The interactive response time law, users over the mean
 * of think and response times, would need a steady load, and pages that end: the longest responses
 * of a server with too much to do begin before the run, or end behind it.
 *
 * <p>Times are those of one monotonic clock, in nanoseconds. Not thread-safe.
 */
final class ClosedRate {
  private final long[] freeNanos;
  private final long[] dueNanos;
  private long runStartNanos = Long.MAX_VALUE;
  private long runEndNanos = Long.MAX_VALUE;
  private double keptNanos;
  private double drawnNanos;
  private double plannedNanos;

  ClosedRate(int users) {
    freeNanos = new long[users];
    dueNanos = new long[users];
  }

  void startRun(long elapsedNanos) {
    runStartNanos = elapsedNanos;
  }

  void endRun(long elapsedNanos) {
    runEndNanos = elapsedNanos;
  }

  /**
   * Adds a think time of any phase, which counts once the user has asked, or the run has ended.
   *
   * @param free when it began
   * @param due when it is over, and the user to ask again
   * @param drawn its length before the pace of the load divides it
   * @param mean the mean of such lengths by the plan
   */
  void addThink(int user, long free, long due, long drawn, double mean) {
    freeNanos[user] = free;
    dueNanos[user] = due;
    if (free >= runStartNanos && free < runEndNanos) {
      drawnNanos += drawn;
      plannedNanos += mean;
    }
  }

  /** Adds a page of any phase, of which the part within the run counts. */
  void addPage(int user, long startNanos, long endNanos) {
    keptNanos += inRun(freeNanos[user], dueNanos[user]) + inRun(startNanos, endNanos);
    freeNanos[user] = dueNanos[user];
  }

  private double inRun(long from, long to) {
    return Math.max(0, Math.min(to, runEndNanos) - Math.max(from, runStartNanos));
  }

  /**
   * The pages a second that are expected of a run that has ended.
   *
   * @param achieved the pages a second that were begun in it
   * @param runNanos its length, more than 0
   */
  double perSecond(double achieved, double runNanos) {
    double kept = keptNanos;
    for (int user = 0; user < freeNanos.length; user++) {
      kept += inRun(freeNanos[user], dueNanos[user]);
    }
    double longer = plannedNanos > 0 ? drawnNanos / plannedNanos : 1;
    return kept > 0 ? achieved * longer * freeNanos.length * runNanos / kept : 0;
  }
}
