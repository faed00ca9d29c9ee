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
   * Runs one trial, or where an assertion fails in it, so many, of which most must hold.
   *
   * @param many how many there are in doubt, the first included; odd
   * @param trial runs and judges the trial of that number, from 0 on
   * @throws AssertionError that of the first trial, if half of them failed or more
   */
  public static void most(int many, IntConsumer trial) {
    AssertionError first = failure(trial, 0);
    if (first == null) {
      return;
    }
    System.out.printf("%d trials decide, for the first failed: %s%n", many, first.getMessage());
    int failed = 1;
    for (int i = 1; i < many; i++) {
      failed += failure(trial, i) == null ? 0 : 1;
    }
    if (2 * failed >= many) {
      throw first;
    }
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
