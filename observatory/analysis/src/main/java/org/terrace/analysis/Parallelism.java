package org.terrace.analysis;

import java.util.Arrays;
import org.terrace.core.RadixSort;

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

  /** A visitor of each answer, in the order of answers. */
  interface AnswerVisitor {
    /** Takes an answer: its row, the older requests it overtook, and those that were there. */
    void visit(int row, int overtaken, int there);
  }

  /** The requests handled at a time at least, 1 or more. O(n log n). */
  static int seen(ServerRequests requests, RadixSort sort) {
    int[] most = new int[WITNESSES];
    visit(
        requests,
        sort,
        (row, overtaken, there) -> {
          if (overtaken > most[0]) {
            most[0] = overtaken;
            Arrays.sort(most);
          }
        });
    return 1 + most[0];
  }

  /** Visits the answers to the first {@value #REQUESTS_MAX} requests. O(n log n). */
  static void visit(ServerRequests requests, RadixSort sort, AnswerVisitor visitor) {
    int size = Math.min(requests.size, REQUESTS_MAX);
    long origin = size == 0 ? 0 : requests.arrival[0];
    long[] ends = new long[size];
    int answered = 0;
    for (int row = 0; row < size; row++) {
      long departed = requests.departure[row] - origin;
      if (departed < 1L << (Long.SIZE - 1 - ROW_BITS)) {
        ends[answered++] = departed << ROW_BITS | row;
      }
    }
    sort.sort(ends, 0, answered);
    int[] tree = new int[size + 1];
    int came = 0;
    for (int i = 0; i < answered; i++) {
      int row = (int) (ends[i] & (1 << ROW_BITS) - 1);
      while (came < size && requests.arrival[came] <= requests.departure[row]) {
        came++;
      }
      if (ServerRequests.isCompletion(requests.outcome[row])) {
        visitor.visit(row, row - sum(tree, row), came - i);
      }
      for (int at = row + 1; at <= size; at += at & -at) {
        tree[at]++;
      }
    }
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
