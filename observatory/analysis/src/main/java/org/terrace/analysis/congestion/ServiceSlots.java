package org.terrace.analysis.congestion;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The number of requests that a server handles at a time, by the order of its answers: its threads,
 * or whatever else a request keeps while it is handled. Requests that wait for one are begun in the
 * order they came, so that an answer overtakes at most {@code count - 1} older requests, however
 * many are there. Service times of little variation overtake less, so that the number is a least
 * one. Where throughput grows up to about that and no further, the congestion point is the capacity
 * times the time of a request at low load (Little's law), or that number where it is more.
 *
 * @param count the number by the order alone
 * @param knee the congestion point
 * @param capacity work units a second while all are taken
 */
public record ServiceSlots(int count, double knee, double capacity) {
  /** Fewer answers or windows clearly beyond the number tell too little. */
  private static final int FEWEST_ANSWERS = 200;

  private static final int FEWEST_WINDOWS = 20;

  /** The part of the answers that may have overtaken more: packets are seen a little misordered. */
  private static final double MISORDERED = 0.01;

  /** Loads, as parts of the number, at which throughput is still to grow. */
  private static final double NEAR_LOW = 0.5;

  private static final double NEAR_HIGH = 0.7;

  /** The part of the capacity that is not reached at those loads. */
  private static final double BELOW = 0.8;

  private static final double FEWEST_NEAR = 50;

  /** The capacity times the time at low load, over the number, at most. */
  private static final double FITS = 1.4;

  /** Counts answers by what they overtook, and by how many requests were there. */
  public static final class Answers {
    private int[] present = new int[1];
    private int[] overtaking = new int[1];

    /**
     * Counts an answer.
     *
     * @param overtaken the older requests that were not answered yet
     * @param there the requests that were there, itself included
     */
    public void add(int overtaken, int there) {
      int beyond = (int) (there / CongestionFit.CLEARLY);
      if (beyond >= present.length) {
        present = Arrays.copyOf(present, 2 * beyond);
        overtaking = Arrays.copyOf(overtaking, 2 * beyond);
      }
      present[beyond]++;
      overtaking[Math.min(beyond, overtaken)]++;
    }

    /** The least number that is overtaken no more though clearly more were there; 0 if none is. */
    int slots() {
      int least = 0;
      long all = 0;
      long more = 0;
      for (int number = present.length - 1; number > 0; number--) {
        all += present[number];
        more += overtaking[number];
        least = all >= FEWEST_ANSWERS && more <= MISORDERED * all ? number : least;
      }
      return least;
    }
  }

  /**
   * The number by answers, if throughput grows up to it and no further; else null.
   *
   * @param windows load and throughput in short windows
   * @param residenceSeconds the time that a request takes at low load
   */
  public static @Nullable ServiceSlots of(
      Answers answers, LoadWindows windows, double residenceSeconds) {
    int slots = answers.slots();
    if (slots == 0 || !(residenceSeconds > 0)) {
      return null;
    }
    double seconds = windows.millis() / 1e3;
    double[] beyond = windows.means(CongestionFit.CLEARLY * slots, Double.POSITIVE_INFINITY);
    double[] near = windows.means(NEAR_LOW * slots, NEAR_HIGH * slots);
    double capacity = beyond[0];
    double used = capacity * residenceSeconds;
    boolean grows =
        near[0] * near[1] * seconds < FEWEST_NEAR
            ? used > BELOW * slots
            : near[0] < BELOW * capacity;
    return beyond[1] < FEWEST_WINDOWS || !grows || used > FITS * slots
        ? null
        : new ServiceSlots(slots, Math.max(slots, used), capacity);
  }
}
