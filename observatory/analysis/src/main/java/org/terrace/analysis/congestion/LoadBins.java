package org.terrace.analysis.congestion;

import java.util.Arrays;
import org.terrace.core.Order;

/**
 * Windows in equal-count bins of load, each bin's windows in ascending order of throughput, so that
 * the median of a bin under any resampling of the windows is found by one walk. Windows without
 * load are left out: they say nothing about how throughput grows.
 */
final class LoadBins {
  private final double[] load;
  private final double[] value;

  /** Windows of all bins: bin {@code b} in {@code [offset[b], offset[b + 1])}. */
  private final int[] window;

  private final int[] offset;
  private final double[] windowLoad;

  private LoadBins(double[] load, double[] value, int[] window, int[] offset, double[] windowLoad) {
    this.load = load;
    this.value = value;
    this.window = window;
    this.offset = offset;
    this.windowLoad = windowLoad;
  }

  /** Bins of the windows that are not excluded, up to a load. */
  static LoadBins of(double[] load, double[] throughput, boolean[] excluded, double highestLoad) {
    boolean[] skipped = excluded.clone();
    for (int i = 0; i < load.length; i++) {
      skipped[i] |= load[i] <= 0 || load[i] > highestLoad;
    }
    long[] order = Order.ascending(load, skipped);
    int bins = Math.min(CongestionFit.MOST_BINS, order.length / CongestionFit.WINDOWS_PER_BIN);
    int[] window = new int[order.length];
    double[] value = new double[order.length];
    double[] binLoad = new double[bins];
    int[] offset = new int[bins + 1];
    for (int bin = 0; bin < bins; bin++) {
      int from = offset[bin];
      int to = (int) ((long) (bin + 1) * order.length / bins);
      offset[bin + 1] = to;
      long[] byThroughput = new long[to - from];
      for (int i = from; i < to; i++) {
        int index = Order.index(order[i]);
        binLoad[bin] += load[index] / (to - from);
        byThroughput[i - from] = Order.entry(throughput[index], index);
      }
      Arrays.sort(byThroughput);
      for (int i = from; i < to; i++) {
        window[i] = Order.index(byThroughput[i - from]);
        value[i] = throughput[window[i]];
      }
    }
    double[] windowLoad = new double[order.length];
    for (int i = 0; i < order.length; i++) {
      windowLoad[i] = load[Order.index(order[i])];
    }
    return new LoadBins(binLoad, value, window, offset, windowLoad);
  }

  int count() {
    return load.length;
  }

  int windows() {
    return windowLoad.length;
  }

  /** The mean load of each bin, ascending. */
  double[] load() {
    return load;
  }

  /** The median throughput of each bin. */
  double[] medians() {
    double[] medians = new double[load.length];
    for (int bin = 0; bin < load.length; bin++) {
      medians[bin] = value[(offset[bin] + offset[bin + 1] - 1) >>> 1];
    }
    return medians;
  }

  /** The number of windows whose load is greater than a value. */
  int windowsAbove(double limit) {
    int above = 0;
    for (double each : windowLoad) {
      above += each > limit ? 1 : 0;
    }
    return above;
  }

  /**
   * The medians when window {@code w} is taken {@code times[w]} times: fills x and y with the bins
   * that have any, and returns their number.
   */
  int medians(int[] times, double[] x, double[] y) {
    int points = 0;
    for (int bin = 0; bin < load.length; bin++) {
      int total = 0;
      for (int i = offset[bin]; i < offset[bin + 1]; i++) {
        total += times[window[i]];
      }
      if (total > 0) {
        int at = offset[bin];
        int seen = times[window[at]];
        while (2 * seen < total) {
          seen += times[window[++at]];
        }
        x[points] = load[bin];
        y[points] = value[at];
        points++;
      }
    }
    return points;
  }
}
