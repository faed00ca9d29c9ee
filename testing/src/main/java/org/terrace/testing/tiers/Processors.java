package org.terrace.testing.tiers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/** A clock of events, and the processors of each tier. Confined to one thread. */
final class Processors {
  private static final int PAUSE_SELDOM = 2_000;
  private static final long PAUSE_NANOS = 20_000_000;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final RandomGenerator random;
  private long now;
  private long order;

  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  Processors(RandomGenerator random, long startNanos) {
    this.random = random;
    now = startNanos;
  }

  long now() {
    return now;
  }

  void at(long time, Runnable action) {
    events.add(new Event(time, order++, action));
  }

  /** Lets all happen, until nothing is left to happen. */
  void run() {
    while (!events.isEmpty()) {
      Event event = events.remove();
      now = event.at;
      event.action.run();
    }
  }

  /** The processors of one tier: work waits for a free one in turn, and all pause now and then. */
  final class Tier {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final boolean pauses;
    private int free;
    private long pausedUntil;

    Tier(int processors, boolean pauses) {
      free = processors;
      this.pauses = pauses;
    }

    void work(double micros, Runnable then) {
      if (free == 0) {
        waiting.add(() -> begin(micros, then));
      } else {
        free--;
        begin(micros, then);
      }
    }

    private void begin(double micros, Runnable then) {
      if (pauses && random.nextInt(PAUSE_SELDOM) == 0) {
        pausedUntil = now + PAUSE_NANOS;
      }
      at(Math.max(now, pausedUntil) + Math.round(micros * 1_000), () -> end(then));
    }

    private void end(Runnable then) {
      Runnable first = waiting.poll();
      if (first == null) {
        free++;
      } else {
        first.run();
      }
      then.run();
    }
  }
}
