package org.terrace.tracing.stitch;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * An assignment of calls to requests: the parent of each call, and the chain of each request's
 * calls by their start; with how probable its parts are, by what the server is used to ({@link
 * GapModel}).
 *
 * <p>Confined to one thread.
 */
final class Chains {
  /** Calls that are looked back at for one to the same server, or for the end of parallel ones. */
  private static final int LOOK_BACK = 6;

  /** The share of calls that no request causes, where nothing tells of any. */
  private static final double RARE = 0.001;

  /** The parent of each call; -1 for none. */
  final int[] parent;

  /** The call before and after each in its chain; -1 for none. */
  final int[] previous;

  final int[] next;

  /** Calls whose parent is not drawn again. */
  final boolean[] fixed;

  /** The first and the last call of each request; -1 for none. */
  final int[] first;

  final int[] last;

  private final CallerCalls calls;
  private final GapModel model;

  Chains(CallerCalls calls) {
    this.calls = calls;
    int connections = 0;
    for (int before : calls.before) {
      connections += before < 0 ? 1 : 0;
    }
    model = new GapModel(calls.classes, calls.kinds, connections, calls.spanNanos());
    for (int call = 0; call < calls.calls(); call++) {
      // Calls that nobody can have made tell how many others nobody made.
      model.countOrphan(calls.kind[call], calls.candidateCount(call) == 0 ? 1 : RARE);
    }
    fixed = new boolean[calls.calls()];
    parent = filled(calls.calls());
    previous = filled(calls.calls());
    next = filled(calls.calls());
    first = filled(calls.parents());
    last = filled(calls.parents());
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, -1);
    return array;
  }

  /** Learns what the server is used to from the chains as they are, and what was learned before. */
  void learn(int upTo, double fading, boolean trusting, RandomGenerator random) {
    model.fade(fading);
    calls.values.fade(fading);
    long until = upTo == calls.calls() ? Long.MAX_VALUE : calls.start[upTo];
    for (int each = 0; each < calls.parents() && calls.parentEnd[each] < until; each++) {
      int before = -1;
      for (int call = first[each]; call >= 0; call = next[call]) {
        int received = received(before);
        boolean parallel = before >= 0 && calls.start[call] < calls.end[received];
        long gap = gap(each, before, call, received, parallel);
        model.count(
            calls.parentClass[each],
            before < 0 ? model.arrival() : calls.kind[before],
            model.call(calls.kind[call], parallel),
            gap);
        if (!parallel) {
          model.countLate(gap, late(each, received, call), true);
        }
        calls.values.count(call, each);
        int same = lastTo(calls.target[call], before);
        if (same >= 0 && !parallel) {
          model.countConnection(calls.before[call] == same);
        }
        before = call;
      }
      int received = received(before);
      long gap = calls.parentEnd[each] - time(each, received);
      model.count(
          calls.parentClass[each],
          before < 0 ? model.arrival() : calls.kind[before],
          model.answer(),
          gap);
      model.countLate(gap, late(each, received, -1), true);
    }
    countOthers(upTo, random);
    model.learn(trusting);
    calls.values.learn();
  }

  /** Counts how late calls would be, had another request made them. */
  private void countOthers(int upTo, RandomGenerator random) {
    for (int call = 0; call < upTo; call++) {
      int count = calls.candidateCount(call);
      if (count < 2) {
        continue;
      }
      int other = calls.candidates[calls.from[call] + random.nextInt(count)];
      if (other == parent[call]) {
        continue;
      }
      calls.values.countOther(call, other);
      int received = received(place(call, other));
      long gap = calls.start[call] - time(other, received);
      if (gap >= 0) {
        model.countLate(gap, late(other, received, call), false);
      }
    }
  }

  /** The logarithm of how much more probable a request's chain is with a call in it. */
  double fit(int call, int of, int before) {
    int after = before < 0 ? first[of] : next[before];
    return step(of, before, call, before)
        + step(of, call, after, before)
        - step(of, before, after, before);
  }

  boolean lies(int call, int of) {
    return calls.start[call] >= calls.parentStart[of]
        && calls.end[call] <= calls.parentEnd[of]
        && calls.callRows[call] != calls.parentRows[of];
  }

  /** The last call of a request that began before a call did; -1 if none did. */
  int place(int call, int candidate) {
    int before = last[candidate];
    while (before > call) {
      before = previous[before];
    }
    return before;
  }

  /**
   * The logarithm of a step of a request.
   *
   * @param before the call before it; -1 for the request's arrival
   * @param call the call that it leads to; -1 for the request's answer
   * @param chain the call from which on the chain is as it is linked, {@code before} itself or the
   *     one before that
   */
  double step(int of, int before, int call, int chain) {
    int received =
        before < 0
            ? -1
            : before == chain ? received(before) : later(before, receivedBefore(before, chain));
    int from = before < 0 ? model.arrival() : calls.kind[before];
    if (call < 0) {
      long gap = calls.parentEnd[of] - time(of, received);
      return model.log(calls.parentClass[of], from, model.answer(), gap)
          + model.lateLog(gap, late(of, received, call));
    }
    boolean parallel = before >= 0 && calls.start[call] < calls.end[received];
    long gap = gap(of, before, call, received, parallel);
    double log =
        model.log(calls.parentClass[of], from, model.call(calls.kind[call], parallel), gap)
            + calls.values.log(call, of);
    if (parallel) {
      return log + model.anyConnectionLog();
    }
    log += model.lateLog(gap, late(of, received, call));
    int same =
        before >= 0 && calls.target[before] == calls.target[call]
            ? before
            : lastTo(calls.target[call], chain);
    return log
        + (same < 0 ? model.anyConnectionLog() : model.connectionLog(calls.before[call] == same));
  }

  private long gap(int of, int before, int call, int received, boolean parallel) {
    return calls.start[call] - (parallel ? calls.start[before] : time(of, received));
  }

  /** The time of what a request received last: the answer to a call, or its own arrival. */
  private long time(int of, int received) {
    return received < 0 ? calls.parentStart[of] : calls.end[received];
  }

  /** The number of messages by which a call, or else the answer, is later than its turn. */
  private int late(int of, int received, int call) {
    int number = call < 0 ? calls.order.numberOfAnswer[of] : calls.order.numberOfCall[call];
    return number
        - (received < 0 ? calls.order.turnOfArrival[of] : calls.order.turnOfAnswer[received]);
  }

  /** The call that ended last of one and those that were open when it began; -1 for none. */
  private int received(int call) {
    return call < 0 ? -1 : later(call, receivedBefore(call, previous[call]));
  }

  private int later(int call, int other) {
    return other >= 0 && calls.end[other] > calls.end[call] ? other : call;
  }

  private int receivedBefore(int call, int chain) {
    int open = -1;
    int looked = 0;
    for (int at = chain; at >= 0 && looked < LOOK_BACK; at = previous[at], looked++) {
      if (calls.end[at] <= calls.start[call]) {
        break;
      }
      open = open < 0 ? at : later(open, at);
    }
    return open;
  }

  private int lastTo(int target, int chain) {
    int looked = 0;
    for (int at = chain; at >= 0 && looked < LOOK_BACK; at = previous[at], looked++) {
      if (calls.target[at] == target) {
        return at;
      }
    }
    return -1;
  }

  void remove(int call) {
    int of = parent[call];
    if (of >= 0) {
      join(of, previous[call], next[call]);
      parent[call] = -1;
    }
  }

  void insert(int call, int of, int before) {
    parent[call] = of;
    if (of < 0) {
      return;
    }
    int after = before < 0 ? first[of] : next[before];
    join(of, before, call);
    join(of, call, after);
  }

  /** Makes a call the next one of a request after another, or its first; what follows is open. */
  void append(int call, int of, int before) {
    parent[call] = of;
    join(of, before, call);
  }

  /** Makes two calls of a request neighbours; -1 for its beginning or its end. */
  void join(int of, int before, int after) {
    if (before < 0) {
      first[of] = after;
    } else {
      next[before] = after;
    }
    if (after < 0) {
      last[of] = before;
    } else {
      previous[after] = before;
    }
  }

  /** The logarithm of how probable it is that no request made a call. */
  double orphan(int call) {
    return model.orphanLog(calls.kind[call]);
  }
}
