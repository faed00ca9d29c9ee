package org.terrace.details;

import java.util.Arrays;
import org.terrace.observation.Exchange;
import org.terrace.observation.RequestTable;

/**
 * The packets around some stretches of time, told by the requests that begin and end with them.
 * Immutable.
 */
final class FrameTimes {
  private final long[] starts;
  private final long[] ends;
  private final long[] before;
  private final long[] after;

  /**
   * Looks through the requests once.
   *
   * @param starts the starts of the stretches, in nanoseconds since the Unix epoch, in any order
   * @param ends their ends, in any order
   */
  FrameTimes(RequestTable table, long[] starts, long[] ends) {
    this.starts = sorted(starts);
    this.ends = sorted(ends);
    before = new long[this.starts.length];
    after = new long[this.ends.length];
    Arrays.fill(before, Exchange.UNKNOWN);
    Arrays.fill(after, Long.MAX_VALUE);
    for (int row = 0; row < table.size(); row++) {
      Exchange exchange = table.exchange(row);
      if (exchange.firstFrame() != Exchange.UNKNOWN) {
        see(table.arrivalNanos(row), exchange.firstFrame());
      }
      if (exchange.lastFrame() != Exchange.UNKNOWN) {
        see(table.departureNanos(row), exchange.lastFrame());
      }
    }
    for (int i = 1; i < before.length; i++) {
      before[i] = Math.max(before[i], before[i - 1]);
    }
    for (int i = after.length - 2; i >= 0; i--) {
      after[i] = Math.min(after[i], after[i + 1]);
    }
  }

  private static long[] sorted(long[] times) {
    return Arrays.stream(times).sorted().distinct().toArray();
  }

  private void see(long time, long frame) {
    int start = Arrays.binarySearch(starts, time);
    start = start < 0 ? -start - 1 : start;
    if (start < starts.length) {
      before[start] = Math.max(before[start], frame);
    }
    int end = Arrays.binarySearch(ends, time);
    end = end < 0 ? -end - 2 : end;
    if (end >= 0) {
      after[end] = Math.min(after[end], frame);
    }
  }

  /** The last packet known at or before a start; {@link Exchange#UNKNOWN} if there is none. */
  long before(long start) {
    return before[Arrays.binarySearch(starts, start)];
  }

  /** The first packet known at or after an end; {@link Exchange#UNKNOWN} if there is none. */
  long after(long end) {
    long frame = after[Arrays.binarySearch(ends, end)];
    return frame == Long.MAX_VALUE ? Exchange.UNKNOWN : frame;
  }
}
