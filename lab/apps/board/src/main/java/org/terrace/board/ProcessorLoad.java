package org.terrace.board;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.TimeSource;

/**
 * Work without a purpose on every processor that this process may use, as of a report that somebody
 * runs on the wrong host. Stateless.
 */
final class ProcessorLoad {
  /** Work between two looks at the clock. */
  private static final int STEPS = 10_000;

  private ProcessorLoad() {}

  /**
   * Works for so long.
   *
   * @return the steps of all threads, so that no compiler leaves them out
   */
  static long make(Duration length, TimeSource time) throws InterruptedException {
    long end = time.elapsedNanos() + length.toNanos();
    int processors = Runtime.getRuntime().availableProcessors();
    long[] steps = new long[processors];
    List<Thread> threads = new ArrayList<>();
    for (int processor = 0; processor < processors; processor++) {
      int own = processor;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("processor-load-" + processor)
              .start(() -> steps[own] = work(end, time)));
    }
    long sum = 0;
    for (int processor = 0; processor < processors; processor++) {
      threads.get(processor).join();
      sum += steps[processor];
    }
    return sum;
  }

  private static long work(long end, TimeSource time) {
    long steps = 0;
    long value = 1;
    while (time.elapsedNanos() < end) {
      for (int step = 0; step < STEPS; step++) {
        value = value * 6_364_136_223_846_793_005L + 1;
      }
      steps += value == 0 ? 0 : STEPS;
    }
    return steps;
  }
}
