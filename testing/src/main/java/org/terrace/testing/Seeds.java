package org.terrace.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The seeds of random tests: fresh ones on every run, printed, and replayed with {@code
 * -Dterrace.seed=N}. Seeds that once found a defect are listed beside the test's class, and every
 * run replays them before it draws a fresh one: see {@link SeedReplay}.
 *
 * <p>Stateless but for the test that runs, of which there is one at a time; any of its threads may
 * draw.
 */
public final class Seeds {
  private static final String PROPERTY = "terrace.seed";
  private static final String HISTORIES = "terrace.histories";

  private Seeds() {}

  /**
   * A seed for the named test: the value of the system property {@code terrace.seed} when it is
   * set, else the listed one whose turn it is, else that of the same draw when this test ran first
   * in this JVM, else a fresh one. The seed is printed on standard output so that a failure can be
   * replayed.
   */
  public static long next(String test) {
    Long fixed = Long.getLong(PROPERTY);
    Long listed = fixed != null ? fixed : ListedSeeds.next();
    return drawn(test, listed != null ? listed : unlisted(test));
  }

  /**
   * The seeds of the named test's histories: all that are listed, then as many more as the system
   * property {@code terrace.histories} says, or the given number, which follow on one another from
   * a fresh one. With the system property {@code terrace.seed} they follow on from its value, and
   * none is listed. The one taken last is what a failure is replayed with.
   */
  public static Iterable<Long> histories(String test, int usual) {
    int count = Integer.getInteger(HISTORIES, usual);
    List<Long> seeds = new ArrayList<>();
    if (Long.getLong(PROPERTY) == null) {
      seeds.addAll(ListedSeeds.takeAll());
    }
    int listed = seeds.size();
    long first = next(test);
    for (long history = 0; history < count; history++) {
      seeds.add(first + history);
    }
    if (listed > 0) {
      System.out.println(test + ": " + listed + " listed seeds first");
    }
    return () -> seeds.stream().peek(ListedSeeds::note).iterator();
  }

  /** Whether the seed drawn last was given or listed, and not a fresh one. */
  static boolean isReplaying() {
    return Long.getLong(PROPERTY) != null || ListedSeeds.isReplaying();
  }

  /** A generator whose whole output is a function of the seed. */
  public static RandomGenerator generator(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  private static long unlisted(String test) {
    long fresh = RandomGenerator.getDefault().nextLong();
    return ListedSeeds.isRunning() ? fresh : FirstSeeds.of(test, fresh);
  }

  private static long drawn(String test, long seed) {
    ListedSeeds.note(seed);
    System.out.println(test + ": seed " + seed + " (replay with -D" + PROPERTY + "=" + seed + ")");
    return seed;
  }
}
