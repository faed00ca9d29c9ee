package org.terrace.studies.transients;

/**
 * Load and work of one server in consecutive windows of equal length. The arrays have one length;
 * they are shared, not copied: treat them as read-only.
 *
 * @param millis the length of a window
 * @param load the time average of requests in progress in each window
 * @param work the work completed in each window, in units of an average request
 */
record Windows(int millis, double[] load, double[] work) {
  /** The length at which the paper finds congestion. */
  static final int PAPER_MILLIS = 50;

  /** The number of windows. */
  int count() {
    return load.length;
  }

  /** The same in longer windows, a whole multiple of these; a rest at the end is left out. */
  Windows at(int longer) {
    int each = longer / millis;
    int windows = load.length / each;
    double[] loads = new double[windows];
    double[] works = new double[windows];
    for (int i = 0; i < windows * each; i++) {
      loads[i / each] += load[i] / each;
      works[i / each] += work[i];
    }
    return new Windows(longer, loads, works);
  }

  /** The work completed a second in a window. */
  double throughput(int window) {
    return work[window] * 1_000.0 / millis;
  }
}
