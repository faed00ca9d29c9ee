package org.terrace.analysis.congestion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A stretch of windows in which a server was congested: its load was beyond its congestion point,
 * or it answered less than it usually does at that load.
 *
 * <p>After Wang et al., Detecting transient bottlenecks in n-tier applications through fine-grained
 * analysis, 2013, section III: point 2 of figure 5(c). A run of windows above N* counts when its
 * load exceeds the upper end of the interval of N* at least once, so that the uncertainty of N*
 * alone makes no episode; two runs one window apart are one. A run of windows below {@value #SLOW}
 * of the usual throughput counts when so few answers in all of it would be rarer than {@value
 * #FALSE_ALARMS} in the whole observation, by the dispersion of the windows.
 *
 * @param firstWindow its first window
 * @param endWindow the window after its last
 * @param beyond whether load was beyond N*; else it was slow
 * @param peakLoad the highest load of its windows
 * @param ofUsual its answers as a part of those usual at its load
 */
public record Episode(
    int firstWindow, int endWindow, boolean beyond, double peakLoad, double ofUsual) {
  static final double SLOW = 0.7;
  static final double FALSE_ALARMS = 0.01;

  /** Runs of any length are looked at, so that more than one test is made for each window. */
  private static final int TESTS_OF_WINDOW = 20;

  /** One slow window is mostly one long request. */
  private static final int FEWEST_WINDOWS = 2;

  /** Shortfalls below which even a run that is wholly silent proves nothing. */
  private static final double FEWEST_EXPECTED = 5;

  /**
   * The episodes in order of time.
   *
   * @param slope the usual throughput for each concurrent request; NaN when it is not known, and
   *     then no stretch is slow
   * @param knee N*; NaN when it is not known, and then none is beyond it
   * @param high the upper end of its interval
   */
  public static List<Episode> find(LoadWindows windows, double slope, double knee, double high) {
    UsualWork usual = UsualWork.of(windows, slope, knee);
    List<Episode> found = new ArrayList<>();
    boolean[] taken = new boolean[windows.count()];
    if (!Double.isNaN(knee)) {
      beyond(windows, usual, knee, Math.max(knee, high), found, taken);
    }
    if (!Double.isNaN(slope)) {
      slow(windows, usual, found, taken);
    }
    found.sort(Comparator.comparingInt(Episode::firstWindow));
    return List.copyOf(found);
  }

  private static void beyond(
      LoadWindows windows,
      UsualWork usual,
      double knee,
      double high,
      List<Episode> found,
      boolean[] taken) {
    double[] load = windows.load();
    int at = 0;
    while (at < load.length) {
      if (load[at] <= knee) {
        at++;
        continue;
      }
      int first = at;
      while (at < load.length
          && (load[at] > knee || (at + 1 < load.length && load[at + 1] > knee))) {
        at++;
      }
      Episode episode = episode(windows, usual, first, at, true);
      if (episode.peakLoad > high) {
        found.add(episode);
        Arrays.fill(taken, first, at, true);
      }
    }
  }

  private static void slow(
      LoadWindows windows, UsualWork usual, List<Episode> found, boolean[] taken) {
    double seconds = windows.millis() / 1e3;
    double chance = FALSE_ALARMS / Math.max(1, windows.count()) / TESTS_OF_WINDOW;
    int at = 0;
    while (at < windows.count()) {
      int first = at;
      double expected = 0;
      double answered = 0;
      while (at < windows.count()
          && !taken[at]
          && windows.load()[at] > 0
          && windows.throughput()[at] < SLOW * usual.at(windows.load()[at])) {
        expected += usual.at(windows.load()[at]) * seconds;
        answered += windows.throughput()[at] * seconds;
        at++;
      }
      if (expected >= FEWEST_EXPECTED
          && usual.atMost(answered, expected) <= chance
          && apartFromStalls(windows, first, at) >= FEWEST_WINDOWS) {
        found.add(episode(windows, usual, first, at, false));
      }
      at = at == first ? at + 1 : at;
    }
  }

  /** The windows of a run that no excluded one touches: a stall and its edges are told as such. */
  private static int apartFromStalls(LoadWindows windows, int first, int end) {
    boolean[] excluded = windows.excluded();
    int apart = 0;
    for (int i = first; i < end; i++) {
      boolean touched =
          excluded[i] || (i > 0 && excluded[i - 1]) || (i + 1 < excluded.length && excluded[i + 1]);
      apart += touched ? 0 : 1;
    }
    return apart;
  }

  private static Episode episode(
      LoadWindows windows, UsualWork usual, int first, int end, boolean beyond) {
    double peak = 0;
    double expected = 0;
    double answered = 0;
    for (int i = first; i < end; i++) {
      peak = Math.max(peak, windows.load()[i]);
      expected += usual.at(windows.load()[i]);
      answered += windows.throughput()[i];
    }
    return new Episode(first, end, beyond, peak, expected > 0 ? answered / expected : 1);
  }
}
