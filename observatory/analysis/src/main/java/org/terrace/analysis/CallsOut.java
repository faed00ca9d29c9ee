package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.terrace.core.RadixSort;
import org.terrace.observation.RequestClass;
import org.terrace.observation.RequestTable;

/**
 * The calls that one server makes of another: the other's requests whose client it is. Sorted by
 * the time they were sent. The arrays are never changed.
 *
 * <p>Some are streams, or lost, and nobody waits for those: later ones are answered long before.
 * Those of a server that stopped all wait, so that length tells only where most calls are long.
 */
final class CallsOut {
  /** A call that is in flight for so long after later ones are answered is a stream, or lost. */
  private static final long LONGEST_NANOS = 5_000_000_000L;

  /** The server that is called. */
  final String target;

  final long[] sent;
  final long[] answered;

  /** The calls that nobody waits for. */
  private final boolean[] unawaited;

  /** The latest awaited answer up to each call, by which those in flight at a time are found. */
  private final long[] latestAnswer;

  CallsOut(String target, long[] sent, long[] answered) {
    this.target = target;
    this.sent = sent;
    this.answered = answered;
    unawaited = unawaited(sent, answered);
    latestAnswer = new long[sent.length];
    Arrays.setAll(latestAnswer, i -> unawaited[i] ? Long.MIN_VALUE : answered[i]);
    Arrays.parallelPrefix(latestAnswer, Math::max);
  }

  private static boolean[] unawaited(long[] sent, long[] answered) {
    IntPredicate isLong = call -> answered[call] - sent[call] > LONGEST_NANOS;
    boolean mostAreLong = 2 * IntStream.range(0, sent.length).filter(isLong).count() > sent.length;
    boolean[] unawaited = new boolean[sent.length];
    long later = Long.MAX_VALUE;
    for (int i = sent.length - 1; i >= 0; i--) {
      unawaited[i] = mostAreLong ? isLong.test(i) : answered[i] - later > LONGEST_NANOS;
      later = Math.min(later, answered[i]);
    }
    return unawaited;
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

  /** The integral of the awaited calls in flight over a stall, in call-nanoseconds. */
  long inFlightNanos(DetectedStall stall) {
    long from = stall.startNanos();
    long to = stall.endNanos();
    long sum = 0;
    for (int i = firstBeyond(latestAnswer, from); i < sent.length && sent[i] < to; i++) {
      long shared = Math.min(to, answered[i]) - Math.max(from, sent[i]);
      sum += unawaited[i] ? 0 : Math.max(0, shared);
    }
    return sum;
  }

  /** The most awaited calls that ever were in flight at once. */
  int mostInFlight(RadixSort sort) {
    long[] begun = awaited(sent);
    long[] ended = awaited(answered);
    sort.sort(ended, 0, ended.length);
    return IntStream.range(0, begun.length)
        .map(call -> call + 1 - firstBeyond(ended, begun[call]))
        .max()
        .orElse(0);
  }

  /** The mean of the awaited calls in flight in each window. */
  double[] inFlight(Stretch stretch, int millis) {
    long[] begun = awaited(sent);
    int[] classes = new int[begun.length];
    byte[] outcomes = new byte[begun.length];
    return Cells.of(
            new ServerRequests(
                target, begun, awaited(answered), classes, outcomes, List.of("call")),
            stretch)
        .load(millis);
  }

  private long[] awaited(long[] times) {
    return IntStream.range(0, times.length)
        .filter(call -> !unawaited[call])
        .mapToLong(call -> times[call])
        .toArray();
  }

  /** The number of awaited answers strictly inside a stretch of time. */
  long answeredWithin(long from, long to) {
    return IntStream.range(firstBeyond(latestAnswer, from), firstBeyond(sent, to))
        .filter(call -> !unawaited[call] && answered[call] > from && answered[call] < to)
        .count();
  }

  /** The first index whose value is greater than a time, in ascending values. */
  private static int firstBeyond(long[] ascending, long time) {
    return Distributions.upperBound(ascending, 0, ascending.length, time);
  }
}
