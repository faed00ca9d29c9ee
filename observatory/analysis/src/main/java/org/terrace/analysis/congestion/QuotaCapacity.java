package org.terrace.analysis.congestion;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Order;

/**
 * The capacity of a server under a quota of processor time: its throughput in whole periods that
 * the quota cut short, beside others that it cut short too.
 *
 * @param perSecond work units a second
 * @param error the standard error of that
 */
public record QuotaCapacity(double perSecond, double error) {
  private static final int FEWEST = 10;
  private static final int SECOND_MILLIS = 1_000;
  private static final double NEARLY_ALL = 0.95;

  /** A server that does more than that in a second is seldom held back by this quota. */
  private static final double MOST = 1.25;

  /** A capacity that is not clearly above the mean throughput is that of a slower while. */
  private static final double ABOVE_MEAN = 1.1;

  /** The part of the windows from which on a quota holds a server back most of the time. */
  private static final double MOSTLY = 0.5;

  /**
   * The part of those windows, of least load, that may have been held back at their edges alone.
   */
  private static final double EDGES = 0.1;

  /**
   * The capacity; null where too few periods tell.
   *
   * @param windows windows of whole periods
   * @param throttled those in which the server was held back
   */
  public static @Nullable QuotaCapacity of(LoadWindows windows, boolean[] throttled) {
    double sum = 0;
    double squares = 0;
    int counted = 0;
    boolean[] free = free(windows, throttled);
    for (int i = 0; i < free.length; i++) {
      if (!free[i]) {
        sum += windows.throughput()[i];
        squares += windows.throughput()[i] * windows.throughput()[i];
        counted++;
      }
    }
    if (counted < FEWEST || sum <= 0) {
      return null;
    }
    double mean = sum / counted;
    double[] seconds = seconds(windows);
    double most = Order.quantile(seconds, new boolean[seconds.length], NEARLY_ALL);
    if (mean < ABOVE_MEAN * Arrays.stream(seconds).average().orElse(0) || most > MOST * mean) {
      return null;
    }
    double variance = Math.max(0, squares / counted - mean * mean);
    return new QuotaCapacity(mean, Math.sqrt(variance / (counted - 1)));
  }

  /**
   * The least load at which a server that its quota held back most of the time did what it usually
   * can, so that its congestion point is at most that; null where it was held back less.
   *
   * @param windows windows of whole periods
   * @param throttled those in which the server was held back
   */
  public static @Nullable Double leastLoad(LoadWindows windows, boolean[] throttled) {
    boolean[] skipped = free(windows, throttled);
    long seen = IntStream.range(0, skipped.length).filter(i -> !windows.excluded()[i]).count();
    long held = IntStream.range(0, skipped.length).filter(i -> !skipped[i]).count();
    if (held < FEWEST || held < MOSTLY * seen) {
      return null;
    }
    double usual = Order.quantile(windows.throughput(), skipped, 0.5);
    for (int i = 0; i < skipped.length; i++) {
      skipped[i] |= windows.throughput()[i] < usual;
    }
    return Order.quantile(windows.load(), skipped, EDGES);
  }

  /** All windows but those of periods that were cut short beside others that were cut short too. */
  private static boolean[] free(LoadWindows windows, boolean[] throttled) {
    boolean[] free = windows.excluded().clone();
    for (int i = 0; i < free.length; i++) {
      boolean beside =
          (i > 0 && throttled[i - 1]) || (i + 1 < throttled.length && throttled[i + 1]);
      free[i] |= !throttled[i] || !beside;
    }
    return free;
  }

  /** The throughput of each whole second, or of each window where these are longer. */
  private static double[] seconds(LoadWindows windows) {
    int together = Math.max(1, SECOND_MILLIS / windows.millis());
    double[] seconds = new double[windows.count() / together];
    for (int i = 0; i < seconds.length * together; i++) {
      seconds[i / together] += windows.throughput()[i] / together;
    }
    return seconds;
  }
}
