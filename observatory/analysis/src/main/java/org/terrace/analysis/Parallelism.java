package org.terrace.analysis;

import java.util.Arrays;
import org.terrace.analysis.statistics.RadixSort;

/**
 * The number of requests that a server is seen to handle at a time. Where requests are begun in the
 * order they come, with {@code m} handled at a time, an answer overtakes at most {@code m - 1}
 * older requests; so one more than were overtaken is a lower bound of m, whatever the load, the
 * service times and the stalls. Little's law would take a server that is used lightly for one with
 * a single slot.
 */
final class Parallelism {
  /** Requests looked at; more take time and seldom change the bound. */
  private static final int REQUESTS_MAX = 1 << 18;

  private static final int ROW_BITS = 18;

  /** The answers that must have overtaken as many: one or two may be misordered packets. */
  private static final int WITNESSES = 3;

  private Parallelism() {}

  /** The requests handled at a time at least, 1 or more. O(n log n). */
  static int seen(ServerRequests requests, RadixSort sort) {
    int size = Math.min(requests.size, REQUESTS_MAX);
    if (size == 0) {
      return 1;
    }
    long origin = requests.arrival[0];
    long[] ends = new long[size];
    int answered = 0;
    for (int row = 0; row < size; row++) {
      long departed = requests.departure[row] - origin;
      if (departed < 1L << (Long.SIZE - 1 - ROW_BITS)) {
        ends[answered++] = departed << ROW_BITS | row;
      }
    }
    sort.sort(ends, 0, answered);
    int[] most = new int[WITNESSES];
    int[] tree = new int[size + 1];
    for (int i = 0; i < answered; i++) {
      int row = (int) (ends[i] & (1 << ROW_BITS) - 1);
      int overtaken = row - sum(tree, row);
      if (overtaken > most[0] && ServerRequests.isCompletion(requests.outcome[row])) {
        most[0] = overtaken;
        Arrays.sort(most);
      }
      for (int at = row + 1; at <= size; at += at & -at) {
        tree[at]++;
      }
    }
    return 1 + most[0];
  }

  /** The number of the first rows that have ended, in a binary indexed tree. */
  private static int sum(int[] tree, int rows) {
    int sum = 0;
    for (int at = rows; at > 0; at -= at & -at) {
      sum += tree[at];
    }
    return sum;
  }
}
