package org.terrace.tracing.stitch;

import java.util.Arrays;

/**
 * The order in which a server sends, compared with the order in which it received: where it works
 * on one thing after another, whatever was received first is followed up first, however long that
 * takes. A server receives requests and answers to its calls; it sends calls and answers.
 *
 * <p>Of what was received, {@link #turnOfArrival} and {@link #turnOfAnswer} tell the number of the
 * message that is sent for it if all that waits is served in turn; of what was sent, {@link
 * #numberOfCall} and {@link #numberOfAnswer} tell the number it had. Their difference is by how
 * many it was late. Only intervals are counted, so that requests that were not seen do not add up.
 *
 * <p>Immutable.
 */
final class SendOrder {
  final int[] turnOfArrival;
  final int[] turnOfAnswer;
  final int[] numberOfCall;
  final int[] numberOfAnswer;

  /** All times of requests and calls; the calls by their start, the requests by theirs. */
  SendOrder(long[] parentStart, long[] parentEnd, long[] start, long[] end) {
    long[] answers = sorted(parentEnd);
    long[] answered = sorted(end);
    turnOfArrival = new int[parentStart.length];
    numberOfAnswer = new int[parentStart.length];
    turnOfAnswer = new int[start.length];
    numberOfCall = new int[start.length];
    for (int i = 0; i < parentStart.length; i++) {
      long at = parentStart[i];
      turnOfArrival[i] = turn(at, i + 1, answers, start, answered);
      at = parentEnd[i];
      numberOfAnswer[i] = before(answers, at) + upTo(start, at) + 1;
    }
    for (int i = 0; i < start.length; i++) {
      long at = end[i];
      turnOfAnswer[i] = turn(at, upTo(parentStart, at), answers, start, answered);
      at = start[i];
      numberOfCall[i] = before(answers, at) + i + 1;
    }
  }

  /**
   * The number of messages sent before a time, and of all that wait for something to be sent at it.
   */
  private static int turn(long at, int arrived, long[] answers, long[] start, long[] answered) {
    int gone = before(answers, at);
    int called = before(start, at);
    int waiting = arrived - gone - (called - upTo(answered, at));
    return gone + called + Math.max(1, waiting);
  }

  private static long[] sorted(long[] times) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  /** The number of times that are less than a time. */
  private static int before(long[] sorted, long time) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int upTo(long[] sorted, long time) {
    return before(sorted, time + 1);
  }
}
