package org.terrace.tracing.stitch;

import java.util.random.RandomGenerator;

/**
 * Draws anew which of two requests made each call of a stretch, all calls of it together. Steps of
 * one call at a time cannot leave an assignment of which each part fits to the others only; what
 * two requests exchange in one step is exactly what they are most often taken for one another by.
 *
 * <p>The calls of the stretch are assigned in the order of time, and only the {@value #PARTS_MAX}
 * most probable assignments so far are kept; of those that are complete one is drawn, as often as
 * it is probable. The stretch is the same whatever was drawn before, so that what is probable stays
 * as it is (a Gibbs step over a block).
 *
 * <p>Confined to one thread. A draw takes time in proportion to stretch and assignments kept.
 */
final class PairDraw {
  /** Calls of a stretch that may be either request's. */
  private static final int FREE_MAX = 8;

  /** Calls of a stretch; as many bits has an assignment. */
  private static final int STRETCH_MAX = 24;

  /** Assignments that are kept. */
  private static final int PARTS_MAX = 8;

  /** The logarithm of how much less probable than the best an assignment is that is not kept. */
  private static final double NEGLIGIBLE = 8;

  private final CallerCalls calls;
  private final Chains chains;
  private final RandomGenerator random;

  private int one;
  private int other;

  private final int[] stretch = new int[STRETCH_MAX];
  private final int[] reversed = new int[STRETCH_MAX];
  private int size;

  /** The calls of both requests before the stretch and after it; -1 for none. */
  private int beforeOne;

  private int beforeOther;
  private int afterOne;
  private int afterOther;

  /** Assignments, a bit for each call that is the other's, and their logarithms; then shares. */
  private final int[] parts = new int[PARTS_MAX];

  private final double[] logs = new double[PARTS_MAX];
  private int kept;

  private final int[] grownParts = new int[2 * PARTS_MAX];
  private final double[] grownLogs = new double[2 * PARTS_MAX];

  /** The last call of each request in what is linked. */
  private int lastOne;

  private int lastOther;

  PairDraw(CallerCalls calls, Chains chains, RandomGenerator random) {
    this.calls = calls;
    this.chains = chains;
    this.random = random;
  }

  /**
   * Draws the calls of two requests around one of them.
   *
   * @param with a request that is not the call's parent
   * @param coldness the weight of all that is known
   * @return whether there was anything to draw
   */
  boolean draw(int call, int with, double coldness) {
    one = chains.parent[call];
    other = with;
    if (!isFree(call) || !find(call)) {
      return false;
    }
    parts[0] = 0;
    logs[0] = 0;
    kept = 1;
    for (int at = 0; at < size; at++) {
      keep(grow(at), NEGLIGIBLE / coldness);
    }
    settle(parts[choose(coldness)]);
    return true;
  }

  /** The calls of the stretch that was drawn. */
  int size() {
    return size;
  }

  /** A call of the stretch that was drawn, in the order of time. */
  int call(int at) {
    return stretch[at];
  }

  /** The request that had the call around which was drawn. */
  int one() {
    return one;
  }

  /** The request with which was drawn. */
  int other() {
    return other;
  }

  /** Whether a call of the stretch was drawn; if not, only one of the requests could have it. */
  boolean drew(int at) {
    return isFree(stretch[at]);
  }

  /** The probability that a call of the stretch is the first request's. */
  double shareOfOne(int at) {
    double share = 0;
    for (int i = 0; i < kept; i++) {
      share += (parts[i] >>> at & 1) == 0 ? logs[i] : 0;
    }
    return Math.min(1, share);
  }

  /** Whether a call may be either request's. */
  private boolean isFree(int call) {
    return !chains.fixed[call] && chains.lies(call, one) && chains.lies(call, other);
  }

  /** Finds the stretch around a call; false if no second call could change sides. */
  private boolean find(int call) {
    int around = chains.place(call, other);
    beforeOne = chains.previous[call];
    beforeOther = around;
    long begin = Math.max(calls.parentStart[one], calls.parentStart[other]);
    int free = 1;
    int back = 0;
    while (back < STRETCH_MAX / 2 && free <= FREE_MAX / 2) {
      int at = Math.max(beforeOne, beforeOther);
      if (at < 0 || calls.start[at] < begin) {
        break;
      }
      free += isFree(at) ? 1 : 0;
      reversed[back++] = at;
      if (at == beforeOne) {
        beforeOne = chains.previous[at];
      } else {
        beforeOther = chains.previous[at];
      }
    }
    size = 0;
    while (back > 0) {
      stretch[size++] = reversed[--back];
    }
    stretch[size++] = call;
    return findAfter(call, around, free);
  }

  private boolean findAfter(int call, int around, int freeBefore) {
    int free = freeBefore;
    afterOne = chains.next[call];
    afterOther = around < 0 ? chains.first[other] : chains.next[around];
    long end = Math.min(calls.parentEnd[one], calls.parentEnd[other]);
    while (size < STRETCH_MAX && free < FREE_MAX) {
      boolean ofOne = afterOther < 0 || (afterOne >= 0 && afterOne < afterOther);
      int at = ofOne ? afterOne : afterOther;
      if (at < 0 || calls.start[at] > end) {
        break;
      }
      free += isFree(at) ? 1 : 0;
      stretch[size++] = at;
      if (ofOne) {
        afterOne = chains.next[at];
      } else {
        afterOther = chains.next[at];
      }
    }
    return free > 1;
  }

  /** Assigns one call more in all ways; the number of assignments that there are then. */
  private int grow(int at) {
    int call = stretch[at];
    boolean free = isFree(call);
    int grown = 0;
    for (int i = 0; i < kept; i++) {
      link(parts[i], at);
      if (free || chains.parent[call] == one) {
        grownParts[grown] = parts[i];
        grownLogs[grown++] = logs[i] + chains.step(one, lastOne, call, lastOne);
      }
      if (free || chains.parent[call] == other) {
        grownParts[grown] = parts[i] | 1 << at;
        grownLogs[grown++] = logs[i] + chains.step(other, lastOther, call, lastOther);
      }
    }
    return grown;
  }

  /** Keeps the most probable assignments, the best one first. */
  private void keep(int grown, double negligible) {
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < grown; i++) {
      best = Math.max(best, grownLogs[i]);
    }
    kept = 0;
    for (int i = 0; i < grown; i++) {
      double log = grownLogs[i];
      if (log < best - negligible || (kept == PARTS_MAX && log <= logs[kept - 1])) {
        continue;
      }
      int at = kept < PARTS_MAX ? kept++ : kept - 1;
      for (; at > 0 && logs[at - 1] < log; at--) {
        logs[at] = logs[at - 1];
        parts[at] = parts[at - 1];
      }
      logs[at] = log;
      parts[at] = grownParts[i];
    }
  }

  /** Makes probabilities of the logarithms, and draws one of the assignments. */
  private int choose(double coldness) {
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < kept; i++) {
      link(parts[i], size);
      logs[i] +=
          chains.step(one, lastOne, afterOne, lastOne)
              + chains.step(other, lastOther, afterOther, lastOther);
      best = Math.max(best, logs[i]);
    }
    double sum = 0;
    for (int i = 0; i < kept; i++) {
      logs[i] = Math.exp(coldness * (logs[i] - best));
      sum += logs[i];
    }
    for (int i = 0; i < kept; i++) {
      logs[i] /= sum;
    }
    double left = random.nextDouble();
    int chosen = 0;
    while (chosen < kept - 1 && left >= logs[chosen]) {
      left -= logs[chosen++];
    }
    while (logs[chosen] == 0) {
      chosen--;
    }
    return chosen;
  }

  /** Links the first calls of the stretch backwards, as steps look at them. */
  private void link(int part, int upTo) {
    lastOne = beforeOne;
    lastOther = beforeOther;
    for (int at = 0; at < upTo; at++) {
      int call = stretch[at];
      if ((part >>> at & 1) == 0) {
        chains.previous[call] = lastOne;
        lastOne = call;
      } else {
        chains.previous[call] = lastOther;
        lastOther = call;
      }
    }
  }

  /** Makes the chains those of an assignment. */
  private void settle(int part) {
    lastOne = beforeOne;
    lastOther = beforeOther;
    for (int at = 0; at < size; at++) {
      int call = stretch[at];
      if ((part >>> at & 1) == 0) {
        chains.append(call, one, lastOne);
        lastOne = call;
      } else {
        chains.append(call, other, lastOther);
        lastOther = call;
      }
    }
    chains.join(one, lastOne, afterOne);
    chains.join(other, lastOther, afterOther);
  }
}
