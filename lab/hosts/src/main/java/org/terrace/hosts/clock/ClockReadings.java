package org.terrace.hosts.clock;

import java.util.ArrayList;
import java.util.List;

/** Round trips in which a host read its clock. Thread-safe. */
public final class ClockReadings {
  /** The most that are kept; of more, every second one goes. */
  static final int MOST = 4_096;

  private record Reading(long offsetNanos, long errorNanos) {}

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
  public synchronized void add(long sentNanos, long thereNanos, long heardNanos) {
    if (heardNanos < sentNanos || ++skipped < stride) {
      return;
    }
    skipped = 0;
    long half = (heardNanos - sentNanos + 1) / 2;
    readings.add(new Reading(sentNanos + half - thereNanos, half));
    if (readings.size() == MOST) {
      List<Reading> kept = new ArrayList<>();
      for (int at = 0; at < readings.size(); at += 2) {
        kept.add(readings.get(at));
      }
      readings.clear();
      readings.addAll(kept);
      stride *= 2;
    }
  }

  /** The offset by the shortest round trip; there is one at least. */
  public synchronized ClockOffset offset() {
    Reading best = readings.getFirst();
    for (Reading each : readings) {
      if (each.errorNanos() < best.errorNanos()) {
        best = each;
      }
    }
    long disagreement = 0;
    for (Reading each : readings) {
      long apart =
          Math.abs(each.offsetNanos() - best.offsetNanos()) - each.errorNanos() - best.errorNanos();
      disagreement = Math.max(disagreement, apart);
    }
    return new ClockOffset(best.offsetNanos(), best.errorNanos(), readings.size(), disagreement);
  }
}
