package org.terrace.tracing.stitch;

import java.util.HashMap;
import java.util.Map;
import org.terrace.observation.RequestTable;
import org.terrace.observation.ValueSketch;

/**
 * The evidence of values in the bytes of calls and requests about who made a call: a number that
 * stands in a URL, and then in a statement, and hardly anywhere else. How often a call of a kind
 * carries a value of its own request is learned from parents that are assumed; how often it carries
 * one of another request, from the other requests that were there, and from how many requests carry
 * the value at all.
 *
 * <p>Confined to one thread. A look at a call and a request takes constant time.
 *
 * <p>The lever is that of DeepTrace (SIGCOMM 2025); the estimate is our own.
 */
final class ValueFlow {
  /** The weight of what is assumed of a kind before anything is learned: half carry one. */
  private static final double ASSUMED = 2;

  /** The rarest share a value is given: its bytes are hashed, and may be those of another value. */
  private static final double RAREST = 1.0 / 4096;

  /** No kind of calls is taken to carry its request's values more often than this. */
  private static final double MOST = 0.98;

  /** The weight of a value beside others that follow from the same: words of one text. */
  private static final double STRONG = 0.8;

  private final long[] requestValues;
  private final long[] callValues;
  private final int[] kind;

  /** The part of the requests that carry the value in each lane of each call. */
  private final float[] shares;

  /** Own requests that carry a value of the call, and that carry none, by kind. */
  private final double[] carried;

  private final double[] missed;

  /** Other requests that carry one, and how many would if values were spread evenly, by kind. */
  private final double[] othersCarried;

  private final double[] othersExpected;

  /** The logarithms of finding a value of the own request, of finding none, and of crowding. */
  private final float[] carriedLog;

  private final float[] missedLog;
  private final float[] crowdedLog;

  /** Whether any call and any request carry values. */
  private final boolean isKnown;

  ValueFlow(RequestTable table, int[] requests, int[] calls, int[] kind, int kinds) {
    this.kind = kind;
    requestValues = new long[requests.length];
    callValues = new long[calls.length];
    shares = new float[calls.length * ValueSketch.LANES];
    boolean known = fill(table, requests, requestValues) && fill(table, calls, callValues);
    isKnown = known;
    carried = new double[kinds];
    missed = new double[kinds];
    othersCarried = new double[kinds];
    othersExpected = new double[kinds];
    carriedLog = new float[kinds];
    missedLog = new float[kinds];
    crowdedLog = new float[kinds];
    if (known) {
      countShares();
      learn();
    }
  }

  private static boolean fill(RequestTable table, int[] rows, long[] values) {
    boolean any = false;
    for (int i = 0; i < rows.length; i++) {
      values[i] = table.carriedValues(rows[i]);
      any |= values[i] != ValueSketch.NONE;
    }
    return any;
  }

  private void countShares() {
    Map<Integer, Integer> requests = new HashMap<>();
    for (long values : requestValues) {
      for (int lane = 0; lane < ValueSketch.LANES && ValueSketch.lane(values, lane) != 0; lane++) {
        requests.merge(ValueSketch.lane(values, lane), 1, Integer::sum);
      }
    }
    for (int call = 0; call < callValues.length; call++) {
      for (int lane = 0; lane < ValueSketch.LANES; lane++) {
        int value = ValueSketch.lane(callValues[call], lane);
        int count = value == 0 ? 0 : requests.getOrDefault(value, 0);
        // The own request is not among those that carry it by chance.
        double share = Math.max(0, count - 1) / (double) requestValues.length;
        shares[call * ValueSketch.LANES + lane] = (float) Math.max(RAREST, share);
      }
    }
  }

  /** Whether there is anything to learn from. */
  boolean isKnown() {
    return isKnown;
  }

  /**
   * The part of the requests that carry the rarest value that a call shares with a request; 1 if
   * they share none.
   */
  double shareInCommon(int call, int request) {
    long values = requestValues[request];
    double least = 1;
    if (values == ValueSketch.NONE) {
      return least;
    }
    for (int lane = 0; lane < ValueSketch.LANES; lane++) {
      int value = ValueSketch.lane(callValues[call], lane);
      if (value != 0 && ValueSketch.holds(values, value)) {
        least = Math.min(least, shares[call * ValueSketch.LANES + lane]);
      }
    }
    return least;
  }

  /**
   * The logarithm of how much more probable the values of a call are if a request made it than if
   * another did.
   */
  double log(int call, int request) {
    if (!isKnown || callValues[call] == ValueSketch.NONE) {
      return 0;
    }
    int of = kind[call];
    double share = shareInCommon(call, request);
    if (share >= 1) {
      return missedLog[of];
    }
    return Math.max(0, STRONG * (carriedLog[of] - crowdedLog[of] - Math.log(share)));
  }

  /** Counts a call and the request that is assumed to have made it. */
  void count(int call, int request) {
    if (isKnown && callValues[call] != ValueSketch.NONE) {
      (shareInCommon(call, request) < 1 ? carried : missed)[kind[call]]++;
    }
  }

  /** Counts a call and a request that was there and is assumed not to have made it. */
  void countOther(int call, int request) {
    if (!isKnown || callValues[call] == ValueSketch.NONE) {
      return;
    }
    othersCarried[kind[call]] += shareInCommon(call, request) < 1 ? 1 : 0;
    double none = 1;
    for (int lane = 0; lane < ValueSketch.LANES; lane++) {
      if (ValueSketch.lane(callValues[call], lane) != 0) {
        none *= 1 - Math.min(1, shares[call * ValueSketch.LANES + lane]);
      }
    }
    othersExpected[kind[call]] += 1 - none;
  }

  /** Lets what was counted before weigh less. */
  void fade(double factor) {
    for (int of = 0; of < carried.length; of++) {
      carried[of] *= factor;
      missed[of] *= factor;
      othersCarried[of] *= factor;
      othersExpected[of] *= factor;
    }
  }

  /** Makes logarithms of the counts. */
  void learn() {
    for (int of = 0; of < carried.length; of++) {
      double sum = carried[of] + missed[of] + ASSUMED;
      double share = Math.min(MOST, (carried[of] + ASSUMED / 2) / sum);
      carriedLog[of] = (float) Math.log(share);
      missedLog[of] = (float) Math.log(1 - share);
      // Requests that are there together are more alike than any two: one user's, one story's.
      crowdedLog[of] =
          (float) Math.log(Math.max(1, (othersCarried[of] + 1) / (othersExpected[of] + 1)));
    }
  }
}
