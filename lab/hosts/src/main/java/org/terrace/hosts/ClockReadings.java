package org.terrace.hosts;

import java.util.ArrayList;
import java.util.List;

/**
 * Round trips in which a host read its clock. Two clocks do not go equally fast, so a reading tells
 * less of a moment the farther away it is; the one that tells most of it counts.
 *
 * <p>Source: David L. Mills, <i>Internet Time Synchronization</i>, IEEE Transactions on
 * Communications 39(10), 1991, where a bound of the rate lets the error of a sample grow with its
 * age. Thread-safe.
 */
final class ClockReadings {
  /** The most that are kept; of more, the longer one of every two goes. */
  static final int MOST = 4_096;

  /** The most by which two clocks of quartz go apart, in seconds a second. */
  static final double MOST_DRIFT = 1e-4;

  private record Reading(long thereNanos, long offsetNanos, long errorNanos) {
    long errorAt(long thatThereNanos) {
      return errorNanos + Math.round(Math.abs(thatThereNanos - thereNanos) * MOST_DRIFT);
    }
  }

  private final List<Reading> readings = new ArrayList<>();
  private int skipped;
  private int stride = 1;

  /**
   * Takes a round trip in.
   *
   * @param sentNanos when the question was sent, by this machine's clock
   * @param thereNanos when it was read there, by the host's
   * @param heardNanos when the answer was there, by this machine's
   */
  synchronized void add(long sentNanos, long thereNanos, long heardNanos) {
    if (heardNanos < sentNanos || ++skipped < stride) {
      return;
    }
    skipped = 0;
    long half = (heardNanos - sentNanos + 1) / 2;
    readings.add(new Reading(thereNanos, sentNanos + half - thereNanos, half));
    if (readings.size() == MOST) {
      List<Reading> kept = new ArrayList<>();
      for (int at = 0; at + 1 < readings.size(); at += 2) {
        kept.add(shorter(readings.get(at), readings.get(at + 1)));
      }
      readings.clear();
      readings.addAll(kept);
      stride *= 2;
    }
  }

  private static Reading shorter(Reading one, Reading other) {
    return other.errorNanos() < one.errorNanos() ? other : one;
  }

  /** Whether there has been no round trip. */
  synchronized boolean isEmpty() {
    return readings.isEmpty();
  }

  /** A time of the host as this machine's clock has it; there has been a round trip. */
  synchronized long here(long thereNanos) {
    int low = 0;
    int high = readings.size() - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (readings.get(middle).thereNanos() < thereNanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    Reading best = readings.get(low);
    best = best(best, thereNanos, low + 1, 1);
    return thereNanos + best(best, thereNanos, low - 1, -1).offsetNanos();
  }

  /** The better of a reading and those from an index on, as far as any can be better. */
  private Reading best(Reading known, long thereNanos, int from, int step) {
    Reading best = known;
    for (int at = from; at >= 0 && at < readings.size(); at += step) {
      Reading each = readings.get(at);
      long age = each.errorAt(thereNanos) - each.errorNanos();
      if (age >= best.errorAt(thereNanos)) {
        break;
      }
      if (each.errorAt(thereNanos) < best.errorAt(thereNanos)) {
        best = each;
      }
    }
    return best;
  }

  /** The offset by the shortest round trip; there is one at least. */
  synchronized ClockOffset offset() {
    Reading best = readings.getFirst();
    for (Reading each : readings) {
      best = shorter(best, each);
    }
    long disagreement = 0;
    for (Reading each : readings) {
      long apart =
          Math.abs(each.offsetNanos() - best.offsetNanos())
              - each.errorNanos()
              - best.errorAt(each.thereNanos());
      disagreement = Math.max(disagreement, apart);
    }
    return new ClockOffset(best.offsetNanos(), best.errorNanos(), readings.size(), disagreement);
  }
}
