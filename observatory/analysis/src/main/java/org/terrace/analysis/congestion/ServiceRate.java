package org.terrace.analysis.congestion;

import java.util.Arrays;
import org.terrace.core.Order;

/**
 * The requests a second that a server usually answers at a given load: the mean throughput of
 * equal-count bins of load over windows of one length without stalls, joined by straight lines,
 * from zero at no load, and level beyond the highest load seen.
 */
public final class ServiceRate {
  private static final int WINDOWS_PER_BIN = 40;

  private final double[] load;
  private final double[] perSecond;

  /**
   * The factor by which the counts of a window vary more than those of a Poisson process would: the
   * mean of {@code (count - expected)^2 / expected}, at least 1.
   */
  public final double dispersion;

  private ServiceRate(double[] load, double[] perSecond, double dispersion) {
    this.load = load;
    this.perSecond = perSecond;
    this.dispersion = dispersion;
  }

  /** The rate by the windows that are not excluded. */
  public static ServiceRate of(
      double[] load, double[] throughput, boolean[] excluded, int windowMillis) {
    long[] order = Order.ascending(load, excluded);
    int bins = Math.max(1, order.length / WINDOWS_PER_BIN);
    double[] binLoad = new double[bins];
    double[] binRate = new double[bins];
    for (int bin = 0; bin < bins && order.length > 0; bin++) {
      int from = (int) ((long) bin * order.length / bins);
      int to = (int) ((long) (bin + 1) * order.length / bins);
      for (int i = from; i < to; i++) {
        int window = Order.index(order[i]);
        binLoad[bin] += load[window] / (to - from);
        binRate[bin] += throughput[window] / (to - from);
      }
    }
    ServiceRate rate = new ServiceRate(binLoad, binRate, 1);
    double sum = 0;
    int counted = 0;
    double seconds = windowMillis / 1e3;
    for (long entry : order) {
      int window = Order.index(entry);
      double expected = rate.at(load[window]) * seconds;
      if (expected > 0) {
        double difference = throughput[window] * seconds - expected;
        sum += difference * difference / expected;
        counted++;
      }
    }
    return new ServiceRate(binLoad, binRate, counted == 0 ? 1 : Math.max(1, sum / counted));
  }

  /**
   * The lowest load seen at which the rate reaches half of a value, or half of the highest rate
   * where that is less, as it is on a server that is congested all the time.
   */
  public double lowestLoadWithHalf(double value) {
    double rate = Math.min(value, highest()) / 2;
    for (int bin = 0; bin < load.length; bin++) {
      if (perSecond[bin] >= rate) {
        return load[bin];
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** The highest usual rate at any load. */
  public double highest() {
    return Arrays.stream(perSecond).max().orElse(0);
  }

  /** The usual completions a second at a load. O(log bins). */
  public double at(double atLoad) {
    int last = load.length - 1;
    if (atLoad >= load[last]) {
      return perSecond[last];
    }
    int found = Arrays.binarySearch(load, atLoad);
    int right = found >= 0 ? found : -found - 1;
    double rightLoad = load[right];
    double leftLoad = right == 0 ? 0 : load[right - 1];
    double leftRate = right == 0 ? 0 : perSecond[right - 1];
    if (rightLoad == leftLoad) {
      return perSecond[right];
    }
    double part = (atLoad - leftLoad) / (rightLoad - leftLoad);
    return leftRate + part * (perSecond[right] - leftRate);
  }
}
