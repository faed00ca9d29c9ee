package org.terrace.analysis.congestion;

import org.terrace.core.Order;

/**
 * Load and throughput of one server in consecutive windows of equal length. The arrays have one
 * length and are shared, not copied: treat them as read-only.
 *
 * @param millis the window length
 * @param load the mean of requests in flight
 * @param throughput completed work units a second
 * @param arrivals requests that came, a second
 * @param excluded the windows that tell nothing of the usual: stalled ones, and those that touch a
 *     loss of the capture
 */
public record LoadWindows(
    int millis, double[] load, double[] throughput, double[] arrivals, boolean[] excluded) {

  /** The number of windows. */
  public int count() {
    return load.length;
  }

  /**
   * The part of a change of arrivals that answers follow beyond a load: the difference of mean
   * throughput between the windows with more and with fewer arrivals than their median, over that
   * of mean arrivals. Near 1 where the demand decides what is answered, near 0 where the server
   * does; 1 where arrivals do not vary.
   */
  double following(double beyondLoad) {
    boolean[] skipped = excluded.clone();
    for (int i = 0; i < skipped.length; i++) {
      skipped[i] |= load[i] <= beyondLoad;
    }
    return following(skipped);
  }

  /** The same over the windows that are not skipped. */
  double following(boolean[] skipped) {
    double median = Order.quantile(arrivals, skipped, 0.5);
    double[] came = new double[2];
    double[] answered = new double[2];
    int[] counted = new int[2];
    for (int i = 0; i < skipped.length; i++) {
      if (!skipped[i]) {
        int side = arrivals[i] > median ? 1 : 0;
        came[side] += arrivals[i];
        answered[side] += throughput[i];
        counted[side]++;
      }
    }
    if (counted[0] == 0 || counted[1] == 0) {
      return 1;
    }
    double change = came[1] / counted[1] - came[0] / counted[0];
    return (answered[1] / counted[1] - answered[0] / counted[0]) / change;
  }

  /** The mean throughput of the windows whose load is between two, and how many they are. */
  double[] means(double low, double high) {
    double sum = 0;
    int counted = 0;
    for (int i = 0; i < load.length; i++) {
      if (!excluded[i] && load[i] >= low && load[i] < high) {
        sum += throughput[i];
        counted++;
      }
    }
    return new double[] {counted == 0 ? 0 : sum / counted, counted};
  }

  /** These windows with some of them as if nothing had been asked and answered in them. */
  public LoadWindows idleIn(boolean[] idle) {
    double[] changedLoad = load.clone();
    double[] changedThroughput = throughput.clone();
    for (int i = 0; i < idle.length; i++) {
      if (idle[i]) {
        changedLoad[i] = 0;
        changedThroughput[i] = 0;
      }
    }
    return new LoadWindows(millis, changedLoad, changedThroughput, arrivals, excluded);
  }

  /** The windows of the given indices. */
  LoadWindows only(int[] kept) {
    double[] keptLoad = new double[kept.length];
    double[] keptThroughput = new double[kept.length];
    double[] keptArrivals = new double[kept.length];
    boolean[] keptExcluded = new boolean[kept.length];
    for (int i = 0; i < kept.length; i++) {
      keptLoad[i] = load[kept[i]];
      keptThroughput[i] = throughput[kept[i]];
      keptArrivals[i] = arrivals[kept[i]];
      keptExcluded[i] = excluded[kept[i]];
    }
    return new LoadWindows(millis, keptLoad, keptThroughput, keptArrivals, keptExcluded);
  }
}
