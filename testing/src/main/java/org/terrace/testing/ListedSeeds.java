package org.terrace.testing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The seeds that wait for their turn in the test that runs, and the one drawn last. A program in
 * which no test runs has none of them. Safe for any threads; knows nothing of JUnit, as programs
 * that draw seeds are run without it.
 */
final class ListedSeeds {
  private static final Deque<Long> waiting = new ArrayDeque<>();
  private static @Nullable Long current;
  private static boolean running;
  private static boolean replaying;
  private static boolean drawnByMethod;

  private ListedSeeds() {}

  /** Begins a test with the seeds that are listed for it. */
  static synchronized void begin(List<Long> seeds) {
    waiting.clear();
    waiting.addAll(seeds);
    if (!seeds.isEmpty()) {
      current = null; // what was drawn before the method is not the seed that it is to draw
    }
    running = true;
    replaying = false;
    drawnByMethod = false;
  }

  static synchronized void end() {
    waiting.clear();
    running = false;
    current = null;
  }

  /** Begins another call of the same test. */
  static synchronized void startAgain() {
    current = null;
    replaying = false;
  }

  /** Whether a test method runs, and not what is called before or after it. */
  static synchronized boolean isRunning() {
    return running;
  }

  static synchronized int remaining() {
    return waiting.size();
  }

  static synchronized boolean isReplaying() {
    return replaying;
  }

  static synchronized @Nullable Long current() {
    return current;
  }

  /**
   * The seed that is to be drawn: the one drawn before in this call of a test, as one replays all
   * of it, else the listed one whose turn it is; null for a fresh one.
   */
  static synchronized @Nullable Long next() {
    if (running && current != null) {
      return current;
    }
    Long seed = waiting.pollFirst();
    replaying = seed != null;
    current = seed;
    return seed;
  }

  /** Takes all seeds that are listed for the test that runs and wait for their turn. */
  static synchronized List<Long> takeAll() {
    List<Long> seeds = List.copyOf(waiting);
    waiting.clear();
    return seeds;
  }

  /** Notes which seed a failure is to be replayed with. */
  static synchronized void note(long seed) {
    current = seed;
    drawnByMethod |= running;
  }

  /** Whether the test method that runs drew itself, and not a field or a method before it. */
  static synchronized boolean isDrawnByMethod() {
    return drawnByMethod;
  }
}
