package org.terrace.tracing.stitch;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Draws whole assignments of calls to requests, each as often as it is probable, and so learns how
 * probable each parent is. One step gives a call a new parent, given all others (Gibbs); another
 * gives all calls of two requests in a stretch new parents among the two ({@link PairDraw}). What
 * the server is used to is learned from the assignments drawn first.
 *
 * <p>A probability is the mean of those that the steps drew from, not of what they drew: that two
 * requests could exchange their calls counts, whether or not they did in the few steps there are.
 *
 * <p>Confined to one thread. A sweep takes time in proportion to candidates.
 */
final class ParentSampler {
  /** Rounds from which the server's habits are learned, and rounds that are counted. */
  private static final int LEARNING_ROUNDS = 12;

  private static final int COUNTED_ROUNDS = 4;

  /** Calls that habits are learned from: the first ones. */
  private static final int LEARNED_MAX = 20_000;

  /** Rounds in which connections are taken to stay with a request, whatever is seen. */
  private static final int TRUSTING_ROUNDS = 3;

  /** The weights of all that is known in the sweeps of a round from which is learned. */
  private static final double[] LEARNING = {0.5, 1, 1, 1};

  /**
   * The weights in the first sweeps of a round that is counted. It begins almost without knowledge,
   * lest it stay at what the one before it found.
   */
  private static final double[] COOLING = {0.3, 0.5, 0.7};

  /** The sweeps of a round that are counted. */
  private static final int COUNTED_SWEEPS = 6;

  /** The weight in sweeps that are counted: gaps are less independent than they are taken to be. */
  private static final double COUNTED = 0.7;

  /** Sweeps in one of which the calls around a call are drawn with those of another request. */
  private static final int PAIRED = 3;

  /** The weight of a probability from two requests' calls beside that from a call alone. */
  private static final float PAIR_WEIGHT = 3;

  /** The logarithm of how much less probable than the best a parent is that is never drawn. */
  private static final double NEGLIGIBLE = 25;

  /** Rounds after which what is settled is drawn with others only, and from which probability. */
  private static final int SETTLING_ROUNDS = 2;

  private static final double SETTLED = 0.9999;

  /** The weight of what was learned before. */
  private static final double FADING = 0.5;

  /** The probability of a parent whose transaction the call's bytes name. */
  private static final float IDENTIFIED = 0.999f;

  /** The part of the greatest share from which on a candidate is chosen at the beginning. */
  private static final double FITTING = 0.3;

  /** The logarithm by which values must tell less of a candidate for it not to be chosen then. */
  private static final double TOLD = 2;

  private final CallerCalls calls;
  private final Chains chains;
  private final RandomGenerator random;
  private final PairDraw pair;

  /** The sum of the probabilities of each candidate over the counted steps, and their weight. */
  private final float[] sums;

  private final float[] weights;

  /** Calls that are not drawn by themselves. */
  private final boolean[] settled;

  private double coldness = 1;
  private int swept;

  private final double[] logs = new double[CallerCalls.CANDIDATES_MAX + 1];
  private final int[] places = new int[CallerCalls.CANDIDATES_MAX + 1];

  ParentSampler(CallerCalls calls, RandomGenerator random) {
    this.calls = calls;
    this.random = random;
    chains = new Chains(calls);
    pair = new PairDraw(calls, chains, random);
    sums = new float[calls.candidates.length];
    weights = new float[calls.calls()];
    settled = new boolean[calls.calls()];
  }

  /** The probability of each candidate, as {@link CallerCalls#candidates} lists them then. */
  float[] probabilities() {
    begin();
    for (int call = 0; call < calls.calls(); call++) {
      // No habits tell more of a call that only one request can have made.
      settled[call] = calls.candidateCount(call) <= 1;
      if (calls.identified[call]) {
        chains.fixed[call] = true;
        sums[calls.from[call]] = IDENTIFIED;
      }
    }
    int learned = Math.min(calls.calls(), LEARNED_MAX);
    chains.learn(learned, 0, true, random);
    for (int round = 0; round < LEARNING_ROUNDS; round++) {
      sweeps(learned, LEARNING);
      chains.learn(learned, FADING, round < TRUSTING_ROUNDS, random);
    }
    Arrays.fill(settled, false);
    for (int round = 0; round < COUNTED_ROUNDS; round++) {
      sweeps(calls.calls(), COOLING);
      coldness = COUNTED;
      for (int sweep = 0; sweep < COUNTED_SWEEPS; sweep++) {
        sweep(calls.calls(), true);
      }
      if (round + 1 >= SETTLING_ROUNDS) {
        settle();
      }
    }
    for (int call = 0; call < calls.calls(); call++) {
      for (int i = calls.from[call]; i < calls.from[call + 1] && !chains.fixed[call]; i++) {
        sums[i] /= weights[call];
      }
    }
    return sums;
  }

  /**
   * Draws what is sure no more by itself, but still with what other requests may exchange for it.
   */
  private void settle() {
    for (int call = 0; call < calls.calls(); call++) {
      settled[call] = calls.candidateCount(call) == 0;
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        settled[call] |=
            sums[i] >= SETTLED * weights[call] && chains.parent[call] == calls.candidates[i];
      }
    }
  }

  private void sweeps(int upTo, double[] weightsOfKnowledge) {
    for (double each : weightsOfKnowledge) {
      coldness = each;
      sweep(upTo, false);
    }
  }

  /** Gives each call the request that its kind fits to, and that waited longest to do something. */
  private void begin() {
    for (int call = 0; call < calls.calls(); call++) {
      long oldest = Long.MAX_VALUE;
      int chosen = -1;
      float most = 0;
      double mostTold = Double.NEGATIVE_INFINITY;
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        most = Math.max(most, calls.shares[i]);
        mostTold = Math.max(mostTold, calls.values.log(call, calls.candidates[i]));
      }
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        int candidate = calls.candidates[i];
        if (calls.shares[i] < FITTING * most
            || calls.values.log(call, candidate) < mostTold - TOLD) {
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
      if (chains.fixed[call] || settled[call]) {
        continue;
      }
      choose(call, counted);
      if (calls.candidateCount(call) > 1
          && chains.parent[call] >= 0
          && (call + swept) % PAIRED == 0) {
        drawPair(call, counted);
      }
    }
  }

  private void drawPair(int call, boolean counted) {
    int with = anyCandidate(call);
    if (with == chains.parent[call]) {
      with = anyCandidate(call);
    }
    if (with == chains.parent[call] || !pair.draw(call, with, coldness) || !counted) {
      return;
    }
    for (int at = 0; at < pair.size(); at++) {
      if (pair.drew(at)) {
        count(pair.call(at), pair.shareOfOne(at));
      }
    }
  }

  /** Counts with which probability a call was drawn for the first of two requests. */
  private void count(int call, double share) {
    weights[call] += PAIR_WEIGHT;
    for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
      if (calls.candidates[i] == pair.one()) {
        sums[i] += PAIR_WEIGHT * (float) share;
      } else if (calls.candidates[i] == pair.other()) {
        sums[i] += PAIR_WEIGHT * (float) (1 - share);
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
      weights[call]++;
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

  /** Draws one of the first logarithms, which become probabilities. */
  private int draw(int count, double best) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double less = coldness * (best - logs[i]);
      logs[i] = less < NEGLIGIBLE ? Math.exp(-less) : 0;
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
}
