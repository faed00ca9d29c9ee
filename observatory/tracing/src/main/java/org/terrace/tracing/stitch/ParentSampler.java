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

  private static final int COUNTED_ROUNDS = 4;

  /** Calls that habits are learned from: the first ones. */
  private static final int LEARNED_MAX = 20_000;

  /** Rounds in which connections are taken to stay with a request, whatever is seen. */
  private static final int TRUSTING_ROUNDS = 3;

  /** Sweeps at the end of each round. */
  private static final int LEARNING_SWEEPS = 4;

  private static final int COUNTED_SWEEPS = 6;

  /**
   * The weights of all that is known in the first sweeps of a round. A round begins almost without
   * knowledge, lest it stay at what the one before it found.
   */
  private static final double[] COOLING = {0.3, 0.5, 0.7, 0.85, 1, 1};

  /** Rounds that agree before a parent is not drawn again. */
  private static final int AGREEING_ROUNDS = 2;

  /** The weight in sweeps that are counted: gaps are less independent than they are taken to be. */
  private static final double COUNTED = 0.7;

  /** The weight of what was learned before. */
  private static final double FADING = 0.5;

  /** The probability of a parent whose transaction the call's bytes name. */
  private static final float IDENTIFIED = 0.999f;

  /** The probability from which on a parent is not drawn again. */
  private static final double FIXED = 0.999;

  /** The part of the greatest share from which on a candidate is chosen at the beginning. */
  private static final double FITTING = 0.3;

  /** Candidates of a call of which single steps find the right one. */
  private static final int FEW = 3;

  /** Calls of one request in a row on one connection that are moved together. */
  private static final int RUN_MAX = 32;

  private final CallerCalls calls;
  private final Chains chains;
  private final RandomGenerator random;

  /** The sum of the probabilities of each candidate over the counted sweeps. */
  private final float[] sums;

  private double coldness = 1;
  private int swept;
  private boolean learning = true;

  private final double[] logs = new double[CallerCalls.CANDIDATES_MAX + 1];
  private final int[] run = new int[RUN_MAX];
  private final int[] places = new int[CallerCalls.CANDIDATES_MAX + 1];

  ParentSampler(CallerCalls calls, RandomGenerator random) {
    this.calls = calls;
    this.random = random;
    chains = new Chains(calls);
    sums = new float[calls.candidates.length];
  }

  /** The probability of each candidate, as {@link CallerCalls#candidates} lists them then. */
  float[] probabilities() {
    begin();
    for (int call = 0; call < calls.calls(); call++) {
      if (calls.identified[call]) {
        chains.fixed[call] = true;
        sums[calls.from[call]] = IDENTIFIED;
      }
    }
    int learned = Math.min(calls.calls(), LEARNED_MAX);
    chains.learn(learned, 0, true, random);
    for (int round = 0; round < LEARNING_ROUNDS; round++) {
      round(learned, LEARNING_SWEEPS, false);
      chains.learn(learned, FADING, round < TRUSTING_ROUNDS, random);
    }
    learning = false;
    for (int round = 1; round <= COUNTED_ROUNDS; round++) {
      round(calls.calls(), COUNTED_SWEEPS, true);
      if (round >= AGREEING_ROUNDS && round < COUNTED_ROUNDS) {
        fix(round * COUNTED_SWEEPS);
      }
    }
    for (int call = 0; call < calls.calls(); call++) {
      if (!chains.fixed[call]) {
        divide(call, COUNTED_ROUNDS * COUNTED_SWEEPS);
      }
    }
    return sums;
  }

  /** Draws no more where rounds that know nothing of each other agree. */
  private void fix(int sweeps) {
    for (int call = 0; call < calls.calls(); call++) {
      boolean agreed = calls.candidateCount(call) == 0;
      for (int i = calls.from[call]; i < calls.from[call + 1] && !chains.fixed[call]; i++) {
        agreed |= sums[i] >= FIXED * sweeps && chains.parent[call] == calls.candidates[i];
      }
      if (agreed && !chains.fixed[call]) {
        chains.fixed[call] = true;
        divide(call, sweeps);
      }
    }
  }

  private void divide(int call, int sweeps) {
    for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
      sums[i] /= sweeps;
    }
  }

  /** Sweeps over the first calls that begin with little knowledge and end with all. */
  private void round(int upTo, int sweeps, boolean counted) {
    for (double each : COOLING) {
      coldness = each;
      sweep(upTo, false);
    }
    coldness = counted ? COUNTED : 1;
    for (int sweep = 0; sweep < sweeps; sweep++) {
      sweep(upTo, counted);
    }
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

  private void sweep(int upTo, boolean counted) {
    swept++;
    for (int call = 0; call < upTo; call++) {
      if (chains.fixed[call]) {
        continue;
      }
      choose(call, counted);
      if (calls.candidateCount(call) > 1 && chains.parent[call] >= 0) {
        // Where few are candidates, single steps do; each exchange is tried in every second sweep.
        boolean all = learning || calls.candidateCount(call) > FEW;
        boolean even = ((call ^ swept) & 1) == 0;
        if (all || even) {
          exchange(call, anyCandidate(call));
        }
        if (all || !even) {
          swap(call, anyCandidate(call));
          moveRun(call);
        }
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
        sums[calls.from[call] + i] += (float) logs[i];
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
    for (;
        at >= 0 && chains.parent[at] == of && !chains.fixed[at] && length < RUN_MAX;
        at = calls.after[at]) {
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
    if (chosen < 0 || chains.fixed[chosen] || !chains.lies(chosen, one)) {
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
