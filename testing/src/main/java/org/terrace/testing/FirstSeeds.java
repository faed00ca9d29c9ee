package org.terrace.testing;

import java.util.HashMap;
import java.util.Map;

/**
 * The seeds that were drawn around test methods, in fields and in what is called before and after
 * them, by the test and in the order of its draws. A test that failed and is run again in the same
 * JVM draws them again, so that it cannot pass by other ones. Safe for any threads; knows nothing
 * of JUnit.
 */
final class FirstSeeds {
  private static final Map<Draw, Long> seeds = new HashMap<>();
  private static Run run = new Run("");

  /** One draw of a test: the number counts those with the same label. */
  private record Draw(String test, String label, int number) {}

  /** One run of a test, with the number of its draws so far by their labels. */
  static final class Run {
    private final String test;
    private final Map<String, Integer> drawn = new HashMap<>();

    private Run(String test) {
      this.test = test;
    }
  }

  private FirstSeeds() {}

  /** Begins a run of the test of that identity, unless it is the one that runs. */
  static synchronized void begin(String test) {
    if (!run.test.equals(test)) {
      run = new Run(test);
    }
  }

  /** Begins a run within the one that runs; gives the latter, to which to return. */
  static synchronized Run beginInner(String test) {
    Run outer = run;
    run = new Run(test);
    return outer;
  }

  static synchronized void returnTo(Run outer) {
    run = outer;
  }

  static synchronized void end() {
    run = new Run("");
  }

  /** The seed of the same draw when the test ran first; the fresh one if this is its first run. */
  static synchronized long of(String label, long fresh) {
    if (run.test.isEmpty()) {
      return fresh;
    }
    int number = run.drawn.merge(label, 1, Integer::sum);
    return seeds.computeIfAbsent(new Draw(run.test, label, number), _ -> fresh);
  }
}
