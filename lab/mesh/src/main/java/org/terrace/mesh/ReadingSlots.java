package org.terrace.mesh;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.terrace.core.Percentiles;

/**
 * The intervals of a run that readings of several resources are of, by their time stamps, so that a
 * missing reading at one server moves none of the others. Stateless.
 *
 * <p>Whoever reads a server does so at a moment of its own in each interval, and sometimes late. So
 * a reading is of the interval whose usual moment is nearest, and one that is so late that the next
 * is nearer is of the last interval that is free before that. Usual moments of two servers are less
 * than half an interval apart.
 */
final class ReadingSlots {
  private static final double MEDIAN = 50;

  private ReadingSlots() {}

  /**
   * Numbers the intervals.
   *
   * @param series the times of each resource's readings in nanoseconds, rising
   * @param startNanos the end of the first interval, about
   * @param intervalNanos the length of an interval
   * @return the numbers of each series, from 0, rising
   */
  static List<int[]> of(List<long[]> series, long startNanos, long intervalNanos) {
    long usual =
        series.stream()
            .max(Comparator.comparingInt(times -> times.length))
            .map(times -> phase(times, startNanos, intervalNanos))
            .orElse(0L);
    List<int[]> slots =
        series.stream().map(times -> slots(times, startNanos + usual, intervalNanos)).toList();
    int least = slots.stream().flatMapToInt(Arrays::stream).min().orElse(0);
    return slots.stream()
        .map(each -> Arrays.stream(each).map(slot -> slot - Math.min(0, least)).toArray())
        .toList();
  }

  private static int[] slots(long[] times, long firstNanos, long intervalNanos) {
    long own = firstNanos + nearest(phase(times, firstNanos, intervalNanos), intervalNanos);
    int[] slots = new int[times.length];
    for (int i = times.length - 1; i >= 0; i--) {
      int slot = (int) Math.floorDiv(times[i] - own + intervalNanos / 2, intervalNanos);
      slots[i] = i == times.length - 1 ? slot : Math.min(slot, slots[i + 1] - 1);
    }
    return slots;
  }

  /** The usual moment within an interval: the median, on the circle, of the distances. */
  private static long phase(long[] times, long fromNanos, long intervalNanos) {
    if (times.length == 0) {
      return 0;
    }
    long[] apart =
        Arrays.stream(times)
            .map(time -> nearest(time - times[0], intervalNanos))
            .sorted()
            .toArray();
    return Math.floorMod(times[0] - fromNanos + Percentiles.ofSorted(apart, MEDIAN), intervalNanos);
  }

  /** A distance less whole intervals, from minus half an interval to less than half. */
  private static long nearest(long nanos, long intervalNanos) {
    long half = intervalNanos / 2;
    return Math.floorMod(nanos + half, intervalNanos) - half;
  }
}
