package org.terrace.testing;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The seeds of random tests: fresh ones on every run, printed, and replayed with {@code
 * -Dterrace.seed=N}.
 *
 * <p>Stateless and thread-safe.
 */
public final class Seeds {
  private static final String PROPERTY = "terrace.seed";

  private Seeds() {}

  /**
   * A seed for the named test: the value of the system property {@code terrace.seed} when it is
   * set, else a fresh one. The seed is printed on standard output so that a failure can be
   * replayed.
   */
  public static long next(String test) {
    Long fixed = Long.getLong(PROPERTY);
    long seed = fixed != null ? fixed : RandomGenerator.getDefault().nextLong();
    System.out.println(test + ": seed " + seed + " (replay with -D" + PROPERTY + "=" + seed + ")");
    return seed;
  }

  /** A generator whose whole output is a function of the seed. */
  public static RandomGenerator generator(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }
}
