package org.terrace.testing;

import java.util.function.DoublePredicate;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Random trials of which a share must hold: a few, and many more where the few leave a doubt.
 *
 * <p>A narrow bound on few trials is missed by chance now and then, and one wide enough never to be
 * missed lets through what is wrong. More trials where there is a doubt settle that: the bound
 * stays, and a build in which the few hold takes no longer. Stateless.
 */
public final class Trials {
  /** The probability below which chance is no explanation for a number of failures. */
  static final double UNLUCKY = 1e-5;

  private Trials() {}

  /**
   * The share, 0 to 1, of trials that hold: of the first few, or if that is not as expected, of
   * many, the first few included.
   *
   * @param few how many trials come first, 1 or more
   * @param many how many there are in doubt, more than the few
   * @param expected whether a share is as it should be
   * @param trial runs the trial of that number, from 0 on; says whether it holds
   */
  public static double share(int few, int many, DoublePredicate expected, IntPredicate trial) {
    int held = 0;
    for (int i = 0; i < few; i++) {
      held += trial.test(i) ? 1 : 0;
    }
    double share = (double) held / few;
    if (expected.test(share)) {
      return share;
    }
    System.out.printf("%d of %d trials held: %d decide%n", held, few, many);
    for (int i = few; i < many; i++) {
      held += trial.test(i) ? 1 : 0;
    }
    return (double) held / many;
  }

  /**
   * Claims that a trial fails by chance at most so often: judges one, and if a fresh one fails,
   * many more, which alone decide. A product that fails more often than claimed is so told from one
   * that was unlucky; one that fails by chance as often as claimed fails a build with less than the
   * given rate times {@value #UNLUCKY}.
   *
   * <p>A trial that replays a seed, given or listed, decides by itself: it once failed and was
   * mended, so chance is no excuse.
   *
   * @param rate the highest share of trials that fail by chance, above 0 and below 1
   * @param many how many further trials decide, 1 or more; all failing must be rarer than {@value
   *     #UNLUCKY}
   * @param trial runs and judges the trial of that number, from 0 on, which draws nothing itself
   *     but derives all from a seed that was drawn before
   * @throws AssertionError that of the first trial if it replays a seed; else one that tells how
   *     many failed, caused by the first
   */
  public static void failAtMost(double rate, int many, IntConsumer trial) {
    if (atLeast(many, many, rate) >= UNLUCKY) {
      throw new IllegalArgumentException(
          "%d trials, of which %s may fail, could never tell: all would fail too often"
              .formatted(many, rate));
    }
    AssertionError first = failure(trial, 0);
    if (first == null) {
      return;
    }
    if (Seeds.isReplaying()) {
      throw first;
    }
    System.out.printf(
        "%d further trials decide, of which %s may fail by chance; the first failed: %s%n",
        many, rate, first.getMessage());
    int failed = 0;
    for (int i = 1; i <= many; i++) {
      failed += failure(trial, i) == null ? 0 : 1;
    }
    double probability = atLeast(failed, many, rate);
    System.out.printf(
        "%d of %d failed: by chance with a probability of %.2g%n", failed, many, probability);
    if (probability < UNLUCKY) {
      throw new AssertionError(
          "the first trial failed, and %d of %d further ones: where each fails with %s, so many have a probability of %.2g; the first: %s"
              .formatted(failed, many, rate, probability, first.getMessage()),
          first);
    }
  }

  /** The probability that of so many trials so many fail or more, if each does with that rate. */
  static double atLeast(int failed, int many, double rate) {
    double term = Math.pow(1 - rate, many);
    double sum = 0;
    for (int i = 0; i <= many; i++) {
      sum += i < failed ? 0 : term;
      term *= (many - i) / (i + 1.0) * rate / (1 - rate);
    }
    return sum;
  }

  private static @Nullable AssertionError failure(IntConsumer trial, int number) {
    try {
      trial.accept(number);
      return null;
    } catch (AssertionError e) {
      return e;
    }
  }
}
