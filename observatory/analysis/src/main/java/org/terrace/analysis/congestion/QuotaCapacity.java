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
   * Whether a quota held the server back most of the time. What it did then tells no limit: the
   * quota may have gone to other work than its requests, which were all answered.
   *
   * @param windows windows of whole periods
   * @param throttled those in which the server was held back
   */
  public static boolean isUsual(LoadWindows windows, boolean[] throttled) {
    long seen = IntStream.range(0, throttled.length).filter(i -> !windows.excluded()[i]).count();
    boolean[] free = free(windows, throttled);
    long held = IntStream.range(0, free.length).filter(i -> !free[i]).count();
    return held >= FEWEST && held >= MOSTLY * seen;
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
