package org.terrace.wire.points;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The bounds that shared packets set to the correction of a clock, which is what must be added to
 * its times to get those of another: a packet to the other clock's host arrived after it was sent,
 * so that the correction is at most the difference of the two times; one that came from there, at
 * least. Delays are not negative; more is not assumed (Andrzej Duda, Gilbert Harrus, Yoram Haddad,
 * Guy Bernard, <i>Estimating Global Time in Distributed Systems</i>, ICDCS 1987). In the order of
 * the clock's own capture. Immutable.
 *
 * @param numbers the packets
 * @param timesNanos their times by the clock
 * @param boundsNanos the bounds of its correction then
 * @param upper whether each is an upper bound
 * @param aimless shared packets left out, as nothing tells which way they went between the points
 */
record ClockBounds(
    long[] numbers, long[] timesNanos, long[] boundsNanos, boolean[] upper, int aimless) {

  /**
   * The bounds of shared packets.
   *
   * @param stepNanos the steps in which the clock tells its time, which is rounded down to one
   * @param otherStepNanos those of the other clock
   */
  static ClockBounds of(
      SharedPackets packets, PathSides sides, long stepNanos, long otherStepNanos) {
    int size = packets.size();
    long[] numbers = new long[size];
    long[] times = new long[size];
    long[] bounds = new long[size];
    boolean[] upper = new boolean[size];
    int kept = 0;
    for (int at = 0; at < size; at++) {
      int nearer = sides.nearer(packets.hosts(at));
      if (nearer != 0) {
        boolean outward = packets.fromLesser(at) == nearer > 0;
        numbers[kept] = packets.number(at);
        times[kept] = packets.timeNanos(at);
        upper[kept] = outward;
        bounds[kept++] = packets.leadNanos(at) + (outward ? otherStepNanos : -stepNanos);
      }
    }
    return new ClockBounds(
        Arrays.copyOf(numbers, kept),
        Arrays.copyOf(times, kept),
        Arrays.copyOf(bounds, kept),
        Arrays.copyOf(upper, kept),
        size - kept);
  }

  int size() {
    return numbers.length;
  }

  /** The bounds of a range without some of them, which are told by their places in all of these. */
  ClockBounds without(BitSet left, int from, int to) {
    int[] kept = IntStream.range(from, to).filter(at -> !left.get(at)).toArray();
    boolean[] keptUpper = new boolean[kept.length];
    for (int at = 0; at < kept.length; at++) {
      keptUpper[at] = upper[kept[at]];
    }
    return new ClockBounds(
        Arrays.stream(kept).mapToLong(at -> numbers[at]).toArray(),
        Arrays.stream(kept).mapToLong(at -> timesNanos[at]).toArray(),
        Arrays.stream(kept).mapToLong(at -> boundsNanos[at]).toArray(),
        keptUpper,
        aimless);
  }

  /** The delay of a packet that a correction implies; negative if it breaks the bound. */
  long delayNanos(int at, ClockPiece correction) {
    long room = boundsNanos[at] - correction.correctionNanos(timesNanos[at]);
    return upper[at] ? room : -room;
  }
}
