package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.terrace.analysis.statistics.RadixSort;
import org.terrace.observation.RequestClass;
import org.terrace.observation.RequestTable;

/**
 * The calls that one server makes of another: the other's requests whose client it is. Sorted by
 * the time they were sent. The arrays are never changed.
 */
final class CallsOut {
  /** The server that is called. */
  final String target;

  final long[] sent;
  final long[] answered;

  /** The latest answer to any call up to each, by which those in flight at a time are found. */
  private final long[] latestAnswer;

  CallsOut(String target, long[] sent, long[] answered) {
    this.target = target;
    this.sent = sent;
    this.answered = answered;
    latestAnswer = answered.clone();
    for (int i = 1; i < latestAnswer.length; i++) {
      latestAnswer[i] = Math.max(latestAnswer[i], latestAnswer[i - 1]);
    }
  }

  /**
   * The calls of every server of a table, by the table's server index; one that may wait by the
   * caller's own wish holds up nobody and is none. O(rows and servers).
   */
  static List<List<CallsOut>> of(RequestTable table) {
    int servers = table.servers().size();
    int[] serverOfClient = new int[table.clients().size()];
    Arrays.setAll(serverOfClient, i -> table.servers().indexOf(table.clients().get(i)));
    boolean[] waits = RequestClass.thatMayWait(table.requestClasses());
    int[] counts = new int[servers * servers];
    for (int row = 0; row < table.size(); row++) {
      int caller = waits[table.requestClass(row)] ? -1 : serverOfClient[table.client(row)];
      if (caller >= 0 && caller != table.server(row)) {
        counts[caller * servers + table.server(row)]++;
      }
    }
    long[][] sent = new long[counts.length][];
    long[][] answered = new long[counts.length][];
    int[] filled = new int[counts.length];
    for (int row = 0; row < table.size(); row++) {
      int caller = waits[table.requestClass(row)] ? -1 : serverOfClient[table.client(row)];
      if (caller >= 0 && caller != table.server(row)) {
        int pair = caller * servers + table.server(row);
        if (filled[pair] == 0) {
          sent[pair] = new long[counts[pair]];
          answered[pair] = new long[counts[pair]];
        }
        sent[pair][filled[pair]] = table.arrivalNanos(row);
        answered[pair][filled[pair]++] = table.departureNanos(row);
      }
    }
    List<List<CallsOut>> all = new ArrayList<>();
    for (int caller = 0; caller < servers; caller++) {
      List<CallsOut> calls = new ArrayList<>();
      for (int target = 0; target < servers; target++) {
        int pair = caller * servers + target;
        if (counts[pair] > 0) {
          calls.add(new CallsOut(table.servers().get(target), sent[pair], answered[pair]));
        }
      }
      all.add(List.copyOf(calls));
    }
    return all;
  }

  /** The integral of calls in flight over a stretch of time, in call-nanoseconds. */
  long inFlightNanos(long from, long to) {
    long sum = 0;
    for (int i = firstBeyond(latestAnswer, from); i < sent.length && sent[i] < to; i++) {
      sum += Math.max(0, Math.min(to, answered[i]) - Math.max(from, sent[i]));
    }
    return sum;
  }

  /** The times at which calls were answered, in order. */
  long[] answers(RadixSort sort) {
    long[] inOrder = answered.clone();
    sort.sort(inOrder, 0, inOrder.length);
    return inOrder;
  }

  /** The most calls that ever were in flight at once, by the times of the answers in order. */
  int mostInFlight(long[] answers) {
    return IntStream.range(0, sent.length)
        .map(call -> call + 1 - firstBeyond(answers, sent[call]))
        .max()
        .orElse(0);
  }

  /** The number of ascending times strictly inside a stretch of time. */
  static int within(long[] ascending, long from, long to) {
    return Math.max(0, firstBeyond(ascending, to - 1) - firstBeyond(ascending, from));
  }

  /** The first index whose value is greater than a time, in ascending values. */
  private static int firstBeyond(long[] ascending, long time) {
    return Distributions.upperBound(ascending, 0, ascending.length, time);
  }
}
