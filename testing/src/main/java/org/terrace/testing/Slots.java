package org.terrace.testing;

import java.util.ArrayDeque;
import java.util.Deque;

/** A number of equal things that are taken and put back, first come, first served. */
final class Slots {
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int free;

  Slots(int count) {
    free = count;
  }

  /** Does something as soon as one is free, which it must put back. */
  void take(Runnable then) {
    if (free == 0) {
      waiting.add(then);
    } else {
      free--;
      then.run();
    }
  }

  void putBack() {
    Runnable next = waiting.poll();
    if (next == null) {
      free++;
    } else {
      next.run();
    }
  }
}
