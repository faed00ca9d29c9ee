package org.terrace.analysis.congestion;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Order;
import org.terrace.core.Percentiles;

/**
 * The capacity of a server by its drains: stretches in which it works off what gathered in a pause
 * or a burst. Then it does what it can, even where demand is far below that at all other times.
 *
 * <p>A drain is a run of windows whose load is at least {@value #HIGH} times the usual, in which
 * more is answered than comes. By Little's law the congestion point is the capacity times the time
 * a request takes at low load; that holds only if the drains themselves lie beyond it, which is
 * tested: their mean load is at least {@value CongestionFit#CLEARLY} times that.
 *
 * @param count the drains
 * @param capacity work units a second in them
 * @param knee the congestion point that follows, in concurrent requests
 * @param low the lower end of its 95 % interval, by resampling the drains
 * @param high the upper end
 */
public record Drains(int count, double capacity, double knee, double low, double high) {
  /** Fewer drains do not tell how much they vary. */
  static final int FEWEST = 5;

  private static final double HIGH = 3;

  /** Fewer answers in all drains have too large a sampling error. */
  private static final double FEWEST_ANSWERS = 100;

  /** The answers to the arrivals of a drain at least: else load only varies. */
  private static final double SHRINKS = 1.1;

  /** The widest interval, as a part of the knee. */
  private static final double TIGHT = 0.5;

  private static final double HALF = 0.5;

  /** Drains closer to each other are one: what slows a server for a while makes many. */
  private static final int APART_MILLIS = 500;

  /** A capacity below this many times the mean throughput may be that of a slower while. */
  private static final double ABOVE_MEAN = 1.3;

  /** Sums over the drains: one element each. */
  private record Sums(double[] work, double[] seconds, double[] secondsAt, int size) {}

  /**
   * The capacity by the drains of short windows; null where there are too few, or they do not reach
   * beyond the congestion point.
   *
   * @param residenceSeconds the time that a request takes at low load, in seconds
   */
  public static @Nullable Drains of(
      LoadWindows windows, double residenceSeconds, int resamples, long seed) {
    if (!(residenceSeconds > 0)) {
      return null;
    }
    boolean[] idle = windows.excluded().clone();
    for (int i = 0; i < idle.length; i++) {
      idle[i] |= windows.load()[i] <= 0;
    }
    double usual = Order.quantile(windows.load(), idle, HALF);
    Sums sums = find(windows, Math.max(1, HIGH * usual));
    if (sums.size < FEWEST || Arrays.stream(sums.work).sum() < FEWEST_ANSWERS) {
      return null;
    }
    double capacity = Arrays.stream(sums.work).sum() / Arrays.stream(sums.seconds).sum();
    double knee = capacity * residenceSeconds;
    double load = Arrays.stream(sums.secondsAt).sum() / Arrays.stream(sums.seconds).sum();
    double mean = Arrays.stream(windows.throughput()).average().orElse(0);
    if (capacity < ABOVE_MEAN * mean || load < CongestionFit.CLEARLY * knee) {
      return null;
    }
    double[] knees = bootstrap(sums, residenceSeconds, resamples, seed);
    double low = Math.min(knee, Percentiles.ofSorted(knees, 2.5));
    double high = Math.max(knee, Percentiles.ofSorted(knees, 97.5));
    return high - low > TIGHT * knee ? null : new Drains(sums.size, capacity, knee, low, high);
  }

  private static Sums find(LoadWindows windows, double high) {
    double seconds = windows.millis() / 1e3;
    int apart = APART_MILLIS / windows.millis();
    int last = -apart;
    int most = windows.count() / 2 + 1;
    Sums sums = new Sums(new double[most], new double[most], new double[most], 0);
    int size = 0;
    int at = 0;
    while (at < windows.count()) {
      int first = at;
      double work = 0;
      double came = 0;
      double load = 0;
      while (at < windows.count() && !windows.excluded()[at] && windows.load()[at] >= high) {
        work += windows.throughput()[at] * seconds;
        came += windows.arrivals()[at] * seconds;
        load += windows.load()[at] * seconds;
        at++;
      }
      if (at > first && work > SHRINKS * came) {
        size += first - last >= apart ? 1 : 0;
        sums.work[size - 1] += work;
        sums.seconds[size - 1] += (at - first) * seconds;
        sums.secondsAt[size - 1] += load;
        last = at;
      }
      at = at == first ? at + 1 : at;
    }
    return new Sums(
        Arrays.copyOf(sums.work, size),
        Arrays.copyOf(sums.seconds, size),
        Arrays.copyOf(sums.secondsAt, size),
        size);
  }

  private static double[] bootstrap(Sums sums, double residence, int resamples, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] knees = new double[resamples];
    for (int resample = 0; resample < resamples; resample++) {
      double work = 0;
      double seconds = 0;
      for (int i = 0; i < sums.size; i++) {
        int drawn = random.nextInt(sums.size);
        work += sums.work[drawn];
        seconds += sums.seconds[drawn];
      }
      knees[resample] = work / seconds * residence;
    }
    Arrays.sort(knees);
    return knees;
  }
}
