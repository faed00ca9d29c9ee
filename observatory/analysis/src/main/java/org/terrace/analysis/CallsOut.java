package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.terrace.core.RadixSort;
import org.terrace.observation.RequestClass;
import org.terrace.observation.RequestTable;

/**
 * The calls that one server makes of another: the other's requests whose client it is. Sorted by
 * the time they were sent. The arrays are never changed.
 */
final class CallsOut {
  /** A call that is in flight for longer is a stream, or lost: nobody waits for it. */
  private static final long LONGEST_NANOS = 5_000_000_000L;

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
    long[][] sent = new long[servers * servers][0];
    long[][] answered = new long[servers * servers][0];
    int[] filled = new int[servers * servers];
    for (int row = 0; row < table.size(); row++) {
      int caller = waits[table.requestClass(row)] ? -1 : serverOfClient[table.client(row)];
      if (caller >= 0 && caller != table.server(row)) {
        int pair = caller * servers + table.server(row);
        if (filled[pair] == sent[pair].length) {
          sent[pair] = Arrays.copyOf(sent[pair], 2 * filled[pair] + 1);
          answered[pair] = Arrays.copyOf(answered[pair], sent[pair].length);
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
        if (filled[pair] > 0) {
          calls.add(
              new CallsOut(
                  table.servers().get(target),
                  Arrays.copyOf(sent[pair], filled[pair]),
                  Arrays.copyOf(answered[pair], filled[pair])));
        }
      }
      all.add(List.copyOf(calls));
    }
    return all;
  }

  /** The integral of calls in flight over a stall, in call-nanoseconds, without old ones. */
  long inFlightNanos(DetectedStall stall) {
    long from = stall.startNanos();
    long to = stall.endNanos();
    long sum = 0;
    int first = Math.max(firstBeyond(latestAnswer, from), firstBeyond(sent, from - LONGEST_NANOS));
    for (int i = first; i < sent.length && sent[i] < to; i++) {
      sum += Math.max(0, Math.min(to, answered[i]) - Math.max(from, sent[i]));
    }
    return sum;
  }

  /** The most calls that ever were in flight at once, without those that grew old. */
  int mostInFlight(RadixSort sort) {
    int[] prompt = prompt();
    long[] answers = Arrays.stream(prompt).mapToLong(call -> answered[call]).toArray();
    sort.sort(answers, 0, answers.length);
    return IntStream.range(0, prompt.length)
        .map(call -> call + 1 - firstBeyond(answers, sent[prompt[call]]))
        .max()
        .orElse(0);
  }

  /** The mean of the calls in flight in each window, without those that grew old. */
  double[] inFlight(Stretch stretch, int millis) {
    int[] prompt = prompt();
    ServerRequests rows =
        new ServerRequests(
            target,
            Arrays.stream(prompt).mapToLong(call -> sent[call]).toArray(),
            Arrays.stream(prompt).mapToLong(call -> answered[call]).toArray(),
            new int[prompt.length],
            new byte[prompt.length],
            List.of("call"));
    return Cells.of(rows, stretch).load(millis);
  }

  private int[] prompt() {
    return IntStream.range(0, sent.length)
        .filter(call -> answered[call] - sent[call] <= LONGEST_NANOS)
        .toArray();
  }

  /** The number of answers strictly inside a stretch of time. */
  long answeredWithin(long from, long to) {
    return IntStream.range(firstBeyond(latestAnswer, from), firstBeyond(sent, to))
        .filter(call -> answered[call] > from && answered[call] < to)
        .count();
  }

  /** The first index whose value is greater than a time, in ascending values. */
  private static int firstBeyond(long[] ascending, long time) {
    return Distributions.upperBound(ascending, 0, ascending.length, time);
  }
}
