package org.terrace.details.history;

import java.util.random.RandomGenerator;

/** Series of a figure as benchmarks give them: heavy tails, and neighbours that are alike. */
final class SyntheticHistory {
  static final double LEVEL = 100;
  static final double NOISE = 0.05;

  private static final int BEFORE_THE_FIRST = 50;

  private SyntheticHistory() {}

  /**
   * Values about {@link #LEVEL} whose logarithms deviate by {@link #NOISE}.
   *
   * @param correlation that of neighbours
   * @param degrees the degrees of freedom of Student's distribution; 0 for the normal one
   */
  static double[] steady(RandomGenerator random, int count, double correlation, int degrees) {
    double[] values = new double[count];
    double deviation = 0;
    for (int i = -BEFORE_THE_FIRST; i < count; i++) {
      deviation =
          correlation * deviation
              + Math.sqrt(1 - correlation * correlation) * innovation(random, degrees);
      if (i >= 0) {
        values[i] = LEVEL * Math.exp(NOISE * deviation);
      }
    }
    return values;
  }

  private static double innovation(RandomGenerator random, int degrees) {
    double normal = random.nextGaussian();
    if (degrees == 0) {
      return normal;
    }
    double squares = 0;
    for (int i = 0; i < degrees; i++) {
      double each = random.nextGaussian();
      squares += each * each;
    }
    return normal / Math.sqrt(squares / degrees) / Math.sqrt(degrees / (degrees - 2.0));
  }

  /** Multiplies all values from a place on. */
  static double[] changed(double[] values, int at, double factor) {
    double[] changed = values.clone();
    for (int i = at; i < changed.length; i++) {
      changed[i] *= factor;
    }
    return changed;
  }

  /** Percentages of errors: none, and from a place on in a share of the values many. */
  static double[] errorsNowAndThen(RandomGenerator random, int count, int at, double share) {
    double[] values = new double[count];
    for (int i = at; i < count; i++) {
      if (random.nextDouble() < share) {
        values[i] = 20 + 40 * random.nextDouble();
      }
    }
    return values;
  }

  /** Times with a noise of 2 %, and from a place on a share of them is twenty times as long. */
  static double[] slowNowAndThen(RandomGenerator random, int count, int at, double share) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      double slower = i >= at && random.nextDouble() < share ? 20 : 1;
      values[i] = LEVEL * (1 + 0.02 * random.nextGaussian()) * slower;
    }
    return values;
  }
}
