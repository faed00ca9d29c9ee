package org.terrace.analysis.congestion;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Order;

/**
 * A capacity that was not the same all the time: the throughput of a server at high load differed
 * between parts of the observation by more than it varies within them. A JVM that still compiles,
 * other work on the machine and a lowered frequency do that; one congestion point for all of them
 * is an average of several.
 *
 * @param least the median throughput at high load of the part in which it was least
 * @param leastPart the number of that part, from 1
 * @param most that of the part in which it was most
 * @param mostPart the number of that part
 */
public record CapacityChange(double least, int leastPart, double most, int mostPart) {
  private static final List<String> ORDINALS = List.of("first", "second", "third", "last");

  /** The parts of equal length that an observation is divided into. */
  private static final int PARTS = ORDINALS.size();

  /** Fewer windows at high load tell nothing of a part. */
  static final int FEWEST_WINDOWS = 20;

  /** The ratio of capacities from which on they differ enough to matter. */
  static final double MATTERS = 1.3;

  /** The standard errors of a difference of medians that chance does not reach. */
  private static final double BEYOND_CHANCE = 4;

  /** The standard error of a median over that of a mean, for a normal distribution. */
  private static final double OF_MEDIAN = 1.2533;

  private static final double HALF = 0.5;
  private static final double HIGH_QUANTILE = 0.7;

  /** Quartiles of a normal distribution lie so many deviations apart. */
  private static final double QUARTILES_APART = 1.349;

  /**
   * The change beyond the congestion point, or where that is not known, at the higher loads of each
   * part, if answers do not follow arrivals there, so that they are what the server can do. Null
   * where there is no change that matters, or too few windows tell.
   *
   * @param knee the congestion point; NaN when it is not known
   */
  public static @Nullable CapacityChange of(LoadWindows windows, double knee) {
    double[] median = new double[PARTS];
    double[] error = new double[PARTS];
    Arrays.fill(median, Double.NaN);
    for (int part = 0; part < PARTS; part++) {
      boolean[] skipped = skipped(windows, knee, part);
      int counted = (int) IntStream.range(0, skipped.length).filter(i -> !skipped[i]).count();
      // Where answers follow arrivals they are the demand, which may change as it likes.
      if (counted >= FEWEST_WINDOWS
          && (!Double.isNaN(knee) || windows.following(skipped) <= CongestionFit.FOLLOWS)) {
        median[part] = Order.quantile(windows.throughput(), skipped, HALF);
        double spread =
            Order.quantile(windows.throughput(), skipped, 0.75)
                - Order.quantile(windows.throughput(), skipped, 0.25);
        error[part] = OF_MEDIAN * spread / QUARTILES_APART / Math.sqrt(counted);
      }
    }
    int least = extreme(median, -1);
    int most = extreme(median, 1);
    if (least < 0 || most < 0 || median[most] < MATTERS * median[least]) {
      return null;
    }
    double chance = BEYOND_CHANCE * Math.hypot(error[least], error[most]);
    return median[most] - median[least] <= chance
        ? null
        : new CapacityChange(median[least], least + 1, median[most], most + 1);
  }

  /** All windows but those of a part at a load that shows the ceiling. */
  private static boolean[] skipped(LoadWindows windows, double knee, int part) {
    boolean[] skipped = new boolean[windows.count()];
    for (int i = 0; i < skipped.length; i++) {
      skipped[i] = (long) i * PARTS / skipped.length != part || windows.excluded()[i];
    }
    double high =
        Double.isNaN(knee) ? Order.quantile(windows.load(), skipped, HIGH_QUANTILE) : knee;
    for (int i = 0; i < skipped.length; i++) {
      skipped[i] |= windows.load()[i] <= high;
    }
    return skipped;
  }

  /** This change in a sentence, without a full stop. */
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "what it could do changed: %.0f work units a second in the %s quarter of the time, %.0f in"
            + " the %s",
        least,
        ORDINALS.get(leastPart - 1),
        most,
        ORDINALS.get(mostPart - 1));
  }

  private static int extreme(double[] values, int sign) {
    int best = -1;
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i]) && (best < 0 || sign * values[i] > sign * values[best])) {
        best = i;
      }
    }
    return best;
  }
}
