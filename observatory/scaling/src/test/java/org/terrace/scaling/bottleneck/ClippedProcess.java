package org.terrace.scaling.bottleneck;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.terrace.scaling.Utilisation;

/**
 * Servers that are saturated where a normal process with a memory is above a limit, which does not
 * depend on the samples. Confined to one thread.
 */
final class ClippedProcess {
  private final RandomGenerator random;
  private final int samples;

  ClippedProcess(RandomGenerator random, int samples) {
    this.random = random;
    this.samples = samples;
  }

  /** A process of mean 0 and variance 1 that remembers so much of a sample before. */
  double[] process(double memory) {
    double[] values = new double[samples];
    double state = random.nextGaussian();
    for (int t = 0; t < samples; t++) {
      values[t] = state;
      state = memory * state + Math.sqrt(1 - memory * memory) * random.nextGaussian();
    }
    return values;
  }

  /** A process without a memory that is correlated to another. */
  double[] correlated(double[] other, double correlation) {
    double[] own = process(0);
    Arrays.setAll(
        own, t -> correlation * other[t] + Math.sqrt(1 - correlation * correlation) * own[t]);
    return own;
  }

  /** A server that is saturated for such a share of the time. */
  Utilisation server(String tier, int number, double share, double memory) {
    return clipped(tier, number, share, process(memory));
  }

  static Utilisation clipped(String tier, int number, double share, double[] process) {
    double limit = quantile(1 - share);
    double[] values = new double[process.length];
    Arrays.setAll(values, t -> process[t] > limit ? 1 : 0.6);
    return MadeUpCells.cpu(tier, number, values);
  }

  /** The quantile of the normal distribution, by halves. */
  private static double quantile(double share) {
    double low = -6;
    double high = 6;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (below(middle) < share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The normal distribution by its series (Marsaglia, Evaluating the Normal Distribution, 2004).
   */
  private static double below(double x) {
    double sum = x;
    double term = x;
    for (int i = 1; i < 200; i++) {
      term *= x * x / (2 * i + 1);
      sum += term;
    }
    return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }
}
