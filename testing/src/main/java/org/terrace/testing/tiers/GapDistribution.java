package org.terrace.testing.tiers;

import java.util.random.RandomGenerator;

/** The distributions of a server's work between two messages, all with a mean near 100 µs. */
public enum GapDistribution {
  /** Work of two kinds, short and long, each of a gamma distribution. */
  BIMODAL {
    @Override
    double micros(RandomGenerator random) {
      return random.nextInt(4) == 0 ? 150 + gamma(random, 3, 40) : 20 + gamma(random, 2, 15);
    }
  },
  /** A lognormal distribution, as services that do one thing have. */
  LOGNORMAL {
    @Override
    double micros(RandomGenerator random) {
      return 80 * Math.exp(0.6 * random.nextGaussian());
    }
  },
  /** Short work with a tail whose variance has no bound: a Pareto distribution of shape 1.6. */
  HEAVY_TAIL {
    @Override
    double micros(RandomGenerator random) {
      return Math.min(50_000, 40 * Math.pow(1 - random.nextDouble(), -1 / 1.6));
    }
  },
  /** The same work each time, so that what comes first goes first. */
  CONSTANT {
    @Override
    double micros(RandomGenerator random) {
      return 100;
    }
  };

  /** The processor time of one stretch of work, in microseconds. */
  abstract double micros(RandomGenerator random);

  /** A sum of exponential stages. */
  static double gamma(RandomGenerator random, int stages, double micros) {
    double sum = 0;
    for (int i = 0; i < stages; i++) {
      sum -= micros * Math.log(1 - random.nextDouble());
    }
    return sum;
  }
}
