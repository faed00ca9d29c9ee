package org.terrace.tracing.stitch;

import java.util.random.RandomGenerator;

/**
 * Draws whole assignments of calls to requests, each as often as it is probable, and so learns how
 * probable each parent is. One step gives a call a new parent, given all others (Gibbs); another
 * exchanges what two requests did after a moment (Metropolis), as single steps cannot. What the
 * server is used to is learned from the assignments drawn first.
 *
 * <p>Confined to one thread. A sweep takes time in proportion to candidates.
 */
final class ParentSampler {
  /** Rounds from which the server's habits are learned, and rounds that are counted. */
  private static final int LEARNING_ROUNDS = 6;

  private static final int COUNTED_ROUNDS = 10;

  /** Rounds in which connections are taken to stay with a request, whatever is seen. */
  private static final int TRUSTING_ROUNDS = 3;

  /** Sweeps at the end of each round. */
  private static final int SWEEPS = 3;

  /**
   * The weights of all that is known in the first sweeps of a round. A round begins almost without
   * knowledge, lest it stay at what the one before it found.
   */
  private static final double[][] COOLING = {{0.3, 0.6, 1, 1, 1}, {0.15, 0.3, 0.5, 0.8, 1, 1, 1}};

  /** The weight of what was learned before, while learning and while counting. */
  private static final double FADING = 0.5;

  private static final double SLOW_FADING = 0.8;

  /** The part of the greatest share from which on a candidate is chosen at the beginning. */
  private static final double FITTING = 0.3;

  /** Calls of one request in a row on one connection that are moved together. */
  private static final int RUN_MAX = 32;

  private final CallerCalls calls;
  private final Chains chains;
  private final RandomGenerator random;

  /** The sum of the probabilities of each candidate over the counted sweeps. */
  private final double[] sums;

  private double coldness = 1;

  private final double[] logs = new double[CallerCalls.CANDIDATES_MAX + 1];
  private final int[] run = new int[RUN_MAX];
  private final int[] places = new int[CallerCalls.CANDIDATES_MAX + 1];

  ParentSampler(CallerCalls calls, RandomGenerator random) {
    this.calls = calls;
    this.random = random;
    chains = new Chains(calls);
    sums = new double[calls.candidates.length];
  }

  /** The probability of each candidate, as {@link CallerCalls#candidates} lists them. */
  double[] probabilities() {
    begin();
    chains.learn(0, true, random);
    for (int round = 0; round < LEARNING_ROUNDS + COUNTED_ROUNDS; round++) {
      for (double each : COOLING[round % COOLING.length]) {
        coldness = each;
        sweep(false);
      }
      for (int sweep = 0; sweep < SWEEPS; sweep++) {
        sweep(round >= LEARNING_ROUNDS);
      }
      chains.learn(round < LEARNING_ROUNDS ? FADING : SLOW_FADING, round < TRUSTING_ROUNDS, random);
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= COUNTED_ROUNDS * SWEEPS;
    }
    return sums;
  }

  /** Gives each call the request that its kind fits to, and that waited longest to do something. */
  private void begin() {
    for (int call = 0; call < calls.calls(); call++) {
      long oldest = Long.MAX_VALUE;
      int chosen = -1;
      float most = 0;
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        most = Math.max(most, calls.shares[i]);
      }
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        int candidate = calls.candidates[i];
        if (calls.shares[i] < FITTING * most) {
          continue;
        }
        long idle =
            chains.last[candidate] < 0
                ? calls.parentStart[candidate]
                : calls.end[chains.last[candidate]];
        if (idle <= calls.start[call] && idle < oldest) {
          oldest = idle;
          chosen = candidate;
        }
      }
      if (chosen < 0 && calls.candidateCount(call) > 0) {
        chosen = calls.candidates[calls.from[call] + random.nextInt(calls.candidateCount(call))];
      }
      chains.insert(call, chosen, chosen < 0 ? -1 : chains.last[chosen]);
    }
  }

  private void sweep(boolean counted) {
    for (int call = 0; call < calls.calls(); call++) {
      choose(call, counted);
      if (calls.candidateCount(call) > 1 && chains.parent[call] >= 0) {
        exchange(call, anyCandidate(call));
        swap(call, anyCandidate(call));
        moveRun(call);
      }
    }
  }

  /** Draws a new parent for a call, given the parents of all others. */
  private void choose(int call, boolean counted) {
    int count = calls.candidateCount(call);
    if (count == 0) {
      return;
    }
    chains.remove(call);
    double best = chains.orphan(call);
    logs[count] = best;
    for (int i = 0; i < count; i++) {
      int candidate = calls.candidates[calls.from[call] + i];
      int before = chains.place(call, candidate);
      places[i] = before;
      logs[i] = chains.fit(call, candidate, before);
      best = Math.max(best, logs[i]);
    }
    int chosen = draw(count + 1, best);
    if (counted) {
      for (int i = 0; i < count; i++) {
        sums[calls.from[call] + i] += logs[i];
      }
    }
    if (chosen == count) {
      chains.insert(call, -1, -1);
    } else {
      chains.insert(call, calls.candidates[calls.from[call] + chosen], places[chosen]);
    }
  }

  private int anyCandidate(int call) {
    return calls.candidates[calls.from[call] + random.nextInt(calls.candidateCount(call))];
  }

  /** Draws a new parent for all calls in a row that a request made on one connection. */
  private void moveRun(int call) {
    int of = chains.parent[call];
    int before = calls.before[call];
    if (of < 0 || (before >= 0 && chains.parent[before] == of)) {
      return;
    }
    int length = 0;
    int at = call;
    for (; at >= 0 && chains.parent[at] == of && length < RUN_MAX; at = calls.after[at]) {
      run[length++] = at;
    }
    if (length < 2 || (at >= 0 && chains.parent[at] == of)) {
      return;
    }
    int ahead = before < 0 ? -1 : chains.parent[before];
    int behind = at < 0 ? -1 : chains.parent[at];
    for (int i = 0; i < length; i++) {
      chains.remove(run[i]);
    }
    int count = calls.candidateCount(call);
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      int candidate = calls.candidates[calls.from[call] + i];
      // A run that became part of a longer one could not be taken back.
      logs[i] =
          candidate == ahead || candidate == behind
              ? Double.NEGATIVE_INFINITY
              : fitRun(length, candidate);
      best = Math.max(best, logs[i]);
    }
    int chosen = draw(count, best);
    int to = calls.candidates[calls.from[call] + chosen];
    for (int i = 0; i < length; i++) {
      chains.insert(run[i], to, chains.place(run[i], to));
    }
  }

  /** The logarithm of how much more probable a chain is with a run; it stays without it. */
  private double fitRun(int length, int of) {
    for (int i = 0; i < length; i++) {
      if (!chains.lies(run[i], of)) {
        return Double.NEGATIVE_INFINITY;
      }
    }
    double log = 0;
    for (int i = 0; i < length; i++) {
      int before = chains.place(run[i], of);
      log += chains.fit(run[i], of, before);
      chains.insert(run[i], of, before);
    }
    for (int i = 0; i < length; i++) {
      chains.remove(run[i]);
    }
    return log;
  }

  /** Draws one of the first logarithms, which become probabilities. */
  private int draw(int count, double best) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      logs[i] = Math.exp(coldness * (logs[i] - best));
      sum += logs[i];
    }
    for (int i = 0; i < count; i++) {
      logs[i] /= sum;
    }
    double left = random.nextDouble();
    int chosen = 0;
    while (chosen < count - 1 && left >= logs[chosen]) {
      left -= logs[chosen++];
    }
    while (logs[chosen] == 0) {
      chosen--;
    }
    return chosen;
  }

  /** Lets two requests exchange one call each, if that is as probable. */
  private void swap(int call, int other) {
    int one = chains.parent[call];
    if (one < 0 || other == one) {
      return;
    }
    int around = chains.place(call, other);
    int chosen =
        random.nextBoolean() ? around : around < 0 ? chains.first[other] : chains.next[around];
    if (chosen < 0 || !chains.lies(chosen, one)) {
      return;
    }
    int callBefore = chains.previous[call];
    int chosenBefore = chains.previous[chosen];
    chains.remove(call);
    chains.remove(chosen);
    double now =
        chains.fit(call, one, chains.place(call, one))
            + chains.fit(chosen, other, chains.place(chosen, other));
    int callPlace = chains.place(call, other);
    int chosenPlace = chains.place(chosen, one);
    double then = chains.fit(call, other, callPlace) + chains.fit(chosen, one, chosenPlace);
    // The way back is as likely only if the two are neighbours in time in both chains.
    boolean returns =
        chains.place(call, one) == chosenPlace && callPlace == chains.place(chosen, other);
    if (returns && Math.log(random.nextDouble()) < coldness * (then - now)) {
      chains.insert(call, other, callPlace);
      chains.insert(chosen, one, chosenPlace);
    } else {
      chains.insert(call, one, callBefore);
      chains.insert(chosen, other, chosenBefore);
    }
  }

  /** Lets two requests exchange what they did from a call on, if that is as probable. */
  private void exchange(int call, int other) {
    int one = chains.parent[call];
    if (other == one) {
      return;
    }
    int oneBefore = chains.previous[call];
    int otherBefore = chains.place(call, other);
    int otherCall = otherBefore < 0 ? chains.first[other] : chains.next[otherBefore];
    if (!chains.fits(call, other) || !chains.fits(otherCall, one)) {
      return;
    }
    double now = chains.tail(one, oneBefore, call) + chains.tail(other, otherBefore, otherCall);
    chains.link(one, oneBefore, otherCall);
    chains.link(other, otherBefore, call);
    double then = chains.tail(one, oneBefore, otherCall) + chains.tail(other, otherBefore, call);
    if (Math.log(random.nextDouble()) < coldness * (then - now)) {
      chains.adopt(one, oneBefore, otherCall);
      chains.adopt(other, otherBefore, call);
    } else {
      chains.link(one, oneBefore, call);
      chains.link(other, otherBefore, otherCall);
    }
  }
}
