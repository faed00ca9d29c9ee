package org.terrace.tracing.stitch;

import java.util.Arrays;

/**
 * The rates at which requests of one class make calls of one kind, told from presence alone: each
 * call is shared among the requests that were there, at first evenly, then as the rates say that
 * follow from it, until they hardly change (expectation and maximisation over a superposition of
 * Poisson processes). Kinds thus tell parents however many requests are there at once, before
 * anything is known of times.
 *
 * <p>Confined to one thread.
 */
final class Affinities {
  private static final int ROUNDS_MAX = 400;

  /**
   * The share of a kind's largest rate by which no rate of it may still change for them all to be
   * learned. Rates that tend to zero fall by some tenth a round, so that they are ten times this by
   * then.
   */
  private static final double CHANGE = 1e-6;

  /** Calls that rates are learned from. */
  private static final int LEARNED_MAX = 20_000;

  /** The share below which a request is no candidate for a call any longer. */
  static final double LEAST = 1e-4;

  /** Weight of the rate of all classes together in that of one. */
  private static final double COMMON = 0.05;

  private final int[] from;
  private final int[] candidates;
  private final int[] parentClass;
  private final int[] kind;
  private final int kinds;
  private final double[] rates;

  Affinities(int[] from, int[] candidates, int[] parentClass, int classes, int[] kind, int kinds) {
    this.from = from;
    this.candidates = candidates;
    this.parentClass = parentClass;
    this.kind = kind;
    this.kinds = kinds;
    rates = new double[classes * kinds];
    Arrays.fill(rates, 1);
    if (classes > 1) {
      learn(classes);
    }
  }

  private void learn(int classes) {
    double[] there = new double[classes];
    double[] counts = new double[rates.length];
    int learned = Math.min(from.length - 1, LEARNED_MAX);
    for (int i = 0; i < from[learned]; i++) {
      there[parentClass[candidates[i]]]++;
    }
    double all = Arrays.stream(there).sum();
    boolean changes = true;
    for (int round = 0; changes && round < ROUNDS_MAX; round++) {
      changes = false;
      Arrays.fill(counts, 0);
      for (int call = 0; call < learned; call++) {
        double sum = sum(call);
        for (int i = from[call]; i < from[call + 1]; i++) {
          int at = at(i, call);
          counts[at] += rates[at] / sum;
        }
      }
      for (int each = 0; each < kinds; each++) {
        double common = 0;
        for (int one = 0; one < classes; one++) {
          common += counts[one * kinds + each];
        }
        common /= Math.max(1, all);
        double largest = 0;
        double change = 0;
        for (int one = 0; one < classes; one++) {
          int at = one * kinds + each;
          double rate = (counts[at] + COMMON * common) / (there[one] + COMMON);
          largest = Math.max(largest, rate);
          change = Math.max(change, Math.abs(rate - rates[at]));
          rates[at] = rate;
        }
        changes |= change > CHANGE * largest;
      }
    }
  }

  private int at(int i, int call) {
    return parentClass[candidates[i]] * kinds + kind[call];
  }

  private double sum(int call) {
    double sum = Double.MIN_NORMAL;
    for (int i = from[call]; i < from[call + 1]; i++) {
      sum += rates[at(i, call)];
    }
    return sum;
  }

  /** The share of a call that a candidate has by its class. */
  double share(int i, int call) {
    return rates[at(i, call)] / sum(call);
  }
}
