package org.terrace.analysis.congestion;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Order;
import org.terrace.core.Percentiles;

/**
 * The robust estimate of N* at one window length: windows without stalls in equal-count bins of
 * load, the median throughput of each bin, and a hinge through the medians ({@link Hinge}). Its
 * interval comes from a moving-block bootstrap over blocks of one second, with the bins kept; it
 * covers sampling error, not the error of the model.
 *
 * <p>It is called identifiable only when the hinge beats every straight line by more than {@value
 * #BIC_ADVANTAGE} in the Bayesian information criterion (Laplace errors, one point a bin), and at
 * least {@value #SHARE_ABOVE} of the windows lie above {@value #CLEARLY} times the estimate; or
 * {@value #RARE_SHARE_ABOVE} of them, and two seconds ({@value #RARE_WINDOWS_LEAST} to {@value
 * #RARE_WINDOWS_MOST} windows), where the interval is no wider than {@value #TIGHT} of it. Without
 * that a server that never congested would get an N* with a narrow interval: where demand has a
 * ceiling, load varies and throughput does not, as at a knee. For the same reason a plateau at the
 * mean throughput counts only when load is mostly far beyond.
 *
 * @param millis the window length
 * @param identifiable whether the data can tell N*
 * @param knee the estimate
 * @param slope throughput for each concurrent request below it
 * @param low the lower end of the 95 % interval; NaN when not identifiable
 * @param high its upper end; NaN when not identifiable
 * @param binLoad mean load of the bins
 * @param binThroughput median throughput of the bins
 * @param reason why N* is not identifiable; null when it is
 */
public record CongestionFit(
    int millis,
    boolean identifiable,
    double knee,
    double slope,
    double low,
    double high,
    double[] binLoad,
    double[] binThroughput,
    @Nullable String reason) {

  static final int WINDOWS_PER_BIN = 40;
  static final int MOST_BINS = 40;
  static final int FEWEST_BINS = 6;
  static final double BIC_ADVANTAGE = 10;
  static final double SHARE_ABOVE = 0.2;

  /** The least share of windows above the knee where its interval is tight. */
  static final double RARE_SHARE_ABOVE = 0.05;

  /** The time above the knee at least, within some bounds of the number of windows. */
  private static final int RARE_MILLIS = 2_000;

  private static final int RARE_WINDOWS_LEAST = 20;
  private static final int RARE_WINDOWS_MOST = 100;

  /** The widest interval, as a part of the knee, that makes up for few windows above it. */
  static final double TIGHT = 0.3;

  /** The throughput at high load over that at low load beyond which it grows. */
  private static final double GROWTH = 1.2;

  /** The multiple of the knee above which a window shows that throughput grows no more. */
  static final double CLEARLY = 1.5;

  /**
   * A plateau this many times the mean throughput is a ceiling of the server, not of the demand.
   */
  private static final double ABOVE_DEMAND = 1.1;

  /** The part of a change of arrivals that answers follow where the demand is the ceiling. */
  static final double FOLLOWS = 0.3;

  /** A server handles at least one request at a time; the rest is room for the error of a fit. */
  private static final double LOWEST_KNEE = 0.75;

  private static final double MILLIS_PER_SECOND = 1_000;

  /** A median load this many times the knee is that of a server congested all the time. */
  private static final double FAR_BEYOND = 3;

  /** Loads beyond this many times a first estimate only make the bins near the knee coarse. */
  private static final double NEAR = 3;

  /** More windows would cost time and not change the estimate. */
  static final int MOST_WINDOWS = 10_000;

  private static final int KEPT_RUN = 200;
  private static final int BLOCK_MILLIS = 1_000;

  /**
   * Fits the windows that are not excluded.
   *
   * @param quotaMillis the period of the quota that holds the server back; zero when none does
   */
  public static CongestionFit of(LoadWindows all, int quotaMillis, int resamples, long seed) {
    int millis = all.millis();
    LoadWindows windows = all.only(kept(all.count()));
    LoadBins bins = bins(windows, Double.POSITIVE_INFINITY);
    if (quotaMillis > 0 && millis % quotaMillis != 0) {
      return unidentified(
          millis,
          bins.load(),
          bins.medians(),
          "a quota holds the server back in periods of "
              + quotaMillis
              + " ms: windows of "
              + millis
              + " ms see it running or held, not what it can do");
    }
    if (bins.count() < FEWEST_BINS) {
      return unidentified(
          millis,
          bins.load(),
          bins.medians(),
          "only " + bins.windows() + " windows; " + FEWEST_BINS * WINDOWS_PER_BIN + " are needed");
    }
    Hinge hinge = new Hinge(MOST_BINS);
    boolean isDemand = isDemand(bins, windows, millis);
    String reason = refusal(bins, hinge, isDemand, quotaMillis > 0, rareWindows(millis));
    LoadBins near = bins(windows, NEAR * hinge.knee);
    Hinge nearHinge = new Hinge(MOST_BINS);
    if (near.count() >= FEWEST_BINS && advantage(near, nearHinge) > BIC_ADVANTAGE) {
      bins = near;
      hinge = nearHinge;
    }
    double[] x = bins.load();
    double[] y = bins.medians();
    double knee = hinge.knee;
    double slope = hinge.slope;
    if (reason != null) {
      return new CongestionFit(millis, false, knee, slope, Double.NaN, Double.NaN, x, y, reason);
    }
    int block = Math.max(1, BLOCK_MILLIS / millis);
    double[] knees = bootstrap(bins, hinge, windows.count(), block, resamples, seed);
    double low = Math.min(knee, Percentiles.ofSorted(knees, 2.5));
    double high = Math.max(knee, Percentiles.ofSorted(knees, 97.5));
    int above = bins.windowsAbove(CLEARLY * knee);
    if (above < SHARE_ABOVE * bins.windows() && high - low > TIGHT * knee) {
      reason =
          String.format(
              Locale.ROOT,
              "only %d windows (%.0f %%) above a load of %.1f, and the knee lies anywhere from %.1f to %.1f",
              above,
              100.0 * above / bins.windows(),
              CLEARLY * knee,
              low,
              high);
      return new CongestionFit(millis, false, knee, slope, Double.NaN, Double.NaN, x, y, reason);
    }
    return new CongestionFit(millis, true, knee, slope, low, high, x, y, null);
  }

  private static LoadBins bins(LoadWindows windows, double highestLoad) {
    return LoadBins.of(windows.load(), windows.throughput(), windows.excluded(), highestLoad);
  }

  private static int rareWindows(int millis) {
    return Math.clamp(RARE_MILLIS / millis, RARE_WINDOWS_LEAST, RARE_WINDOWS_MOST);
  }

  /** At most {@value #MOST_WINDOWS} windows: evenly spaced runs of {@value #KEPT_RUN}. */
  private static int[] kept(int windows) {
    int keepOneOf = Math.max(1, Math.ceilDiv(windows, MOST_WINDOWS));
    int[] kept = new int[windows];
    int size = 0;
    for (int i = 0; i < windows; i++) {
      if (i / KEPT_RUN % keepOneOf == 0) {
        kept[size++] = i;
      }
    }
    return Arrays.copyOf(kept, size);
  }

  /** The throughput at and beyond N*. */
  public double capacity() {
    return slope * knee;
  }

  /**
   * The throughput for each concurrent request, if it never bends; NaN without bins. It is that of
   * the lower half of loads, since what slows the server for a while raises its load; of all where
   * fewer than one request is usually there, whose load is that of the shortest alone.
   */
  public double proportion() {
    int half = (binLoad.length + 1) / 2;
    int points = half > 0 && binLoad[half - 1] >= 1 ? half : binLoad.length;
    return points == 0
        ? Double.NaN
        : new Hinge(points).bestSlope(binLoad, binThroughput, points, Double.POSITIVE_INFINITY);
  }

  /** This fit as one that cannot tell N*. */
  public CongestionFit refused(String why) {
    return unidentified(millis, binLoad, binThroughput, why);
  }

  private static CongestionFit unidentified(int millis, double[] x, double[] y, String reason) {
    double none = Double.NaN;
    return new CongestionFit(millis, false, none, none, none, none, x, y, reason);
  }

  /**
   * Whether the plateau may be the demand: it is not clearly above the mean throughput, as when
   * load varies with the length of requests alone, and load is not far beyond the knee, as it is on
   * a server that is congested all the time; and beyond the knee the answers still follow the
   * arrivals, which a server at its own ceiling cannot do.
   */
  private static boolean isDemand(LoadBins bins, LoadWindows windows, int millis) {
    Hinge hinge = new Hinge(MOST_BINS);
    hinge.fit(bins.load(), bins.medians(), bins.count());
    double sum = 0;
    int counted = 0;
    for (int i = 0; i < windows.count(); i++) {
      if (!windows.excluded()[i]) {
        sum += windows.throughput()[i];
        counted++;
      }
    }
    double mean = sum / counted;
    // Windows of much load are those that happened to be asked for more: by a standard deviation of
    // a Poisson number of requests, at the usual correlation of the two.
    double chance = 1 / Math.sqrt(Math.max(1, mean * millis / MILLIS_PER_SECOND));
    boolean atDemand = hinge.slope * hinge.knee < (ABOVE_DEMAND + chance) * mean;
    return atDemand
        && Order.quantile(windows.load(), windows.excluded(), 0.5) < FAR_BEYOND * hinge.knee
        && windows.following(hinge.knee) > FOLLOWS;
  }

  /** The reason for which the data cannot tell, or null; the first one explains the rest. */
  private static @Nullable String refusal(
      LoadBins bins, Hinge hinge, boolean isDemand, boolean hasQuota, int fewest) {
    boolean knee = advantage(bins, hinge) > BIC_ADVANTAGE;
    if (!knee && !grows(bins.medians())) {
      return String.format(
          Locale.ROOT,
          "throughput does not grow with load at any load seen: either the server was congested all"
              + " the time (N* is then at most %.1f, and times of less load would tell), or what it"
              + " can do changed meanwhile",
          bins.load()[0]);
    }
    if (!knee) {
      return "throughput still grows with load: a straight line fits about as well as a knee; more"
          + " load than was seen would show a limit";
    }
    if (isDemand) {
      return "throughput never rose above what was asked for, so its ceiling may be the demand;"
          + " more users would tell";
    }
    // A part of a processor is congested by a part of a request.
    if (hinge.knee < LOWEST_KNEE && !hasQuota) {
      return "the knee lies below one concurrent request, where no server is congested";
    }
    int above = bins.windowsAbove(CLEARLY * hinge.knee);
    double share = (double) above / bins.windows();
    if (share < RARE_SHARE_ABOVE || above < fewest) {
      return String.format(
          Locale.ROOT,
          "only %d windows (%.0f %%) above a load of %.1f; %d and %.0f %% are needed",
          above,
          share * 100,
          CLEARLY * hinge.knee,
          fewest,
          RARE_SHARE_ABOVE * 100);
    }
    return null;
  }

  /** Whether the upper third of the bins by load answers clearly more than the lower third. */
  private static boolean grows(double[] medians) {
    int third = Math.max(1, medians.length / 3);
    double low = 0;
    double high = 0;
    for (int i = 0; i < third; i++) {
      low += medians[i];
      high += medians[medians.length - 1 - i];
    }
    return high > GROWTH * low;
  }

  /** Fits the hinge, and tells by how much it beats the better of two straight lines. */
  private static double advantage(LoadBins bins, Hinge hinge) {
    double[] x = bins.load();
    double[] y = bins.medians();
    int points = bins.count();
    hinge.fit(x, y, points);
    double line =
        Math.min(
            criterion(hinge.proportionalError(x, y, points), points, 1),
            criterion(Hinge.lineError(x, y, points), points, 2));
    return line - criterion(hinge.error, points, 2);
  }

  /** The Bayesian information criterion of a fit with Laplace errors. */
  private static double criterion(double absoluteError, int points, int parameters) {
    double mean = Math.max(absoluteError / points, Double.MIN_NORMAL);
    return 2 * points * Math.log(mean) + parameters * Math.log(points);
  }

  private static double[] bootstrap(
      LoadBins bins, Hinge hinge, int windows, int block, int resamples, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int length = Math.min(block, windows);
    int blocks = Math.ceilDiv(windows, length);
    int[] times = new int[windows + 1];
    double[] x = new double[bins.count()];
    double[] y = new double[bins.count()];
    double[] knees = new double[resamples];
    for (int resample = 0; resample < resamples; resample++) {
      Arrays.fill(times, 0);
      for (int i = 0; i < blocks; i++) {
        int start = random.nextInt(windows - length + 1);
        times[start]++;
        times[start + length]--;
      }
      for (int i = 1; i < windows; i++) {
        times[i] += times[i - 1];
      }
      int points = bins.medians(times, x, y);
      // A sample that misses all bins tells nothing: the knee before it counts again.
      if (points > 0) {
        hinge.fit(x, y, points);
      }
      knees[resample] = hinge.knee;
    }
    Arrays.sort(knees);
    return knees;
  }
}
