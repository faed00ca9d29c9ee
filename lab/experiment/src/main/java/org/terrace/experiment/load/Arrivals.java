package org.terrace.experiment.load;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The arrivals of an open load that no user has taken yet, in the order of their times. Idle users
 * wait in line, so that the one idle longest takes the next arrival. Thread-safe.
 */
final class Arrivals {
  /** What a user takes instead of an arrival once the load has stopped. */
  static final long STOPPED = Long.MIN_VALUE;

  private final BlockingQueue<Long> waiting;
  private final AtomicLong dropped = new AtomicLong();

  /** A queue in which at most so many arrivals wait. */
  Arrivals(int backlog) {
    waiting = new ArrayBlockingQueue<>(backlog);
  }

  /** Adds an arrival, or counts it as dropped when too many wait. */
  void add(long intendedNanos) {
    if (!waiting.offer(intendedNanos)) {
      dropped.incrementAndGet();
    }
  }

  /** Waits for the next arrival and tells when it was due, or {@link #STOPPED}. */
  long take() {
    try {
      long intended = waiting.take();
      if (intended == STOPPED) {
        var _ = waiting.offer(STOPPED); // for the next user in line
      }
      return intended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return STOPPED;
    }
  }

  /** Sends every user home; arrivals that still wait count as dropped. */
  void stop() {
    Long last;
    while ((last = waiting.poll()) != null) {
      dropped.addAndGet(last == STOPPED ? 0 : 1);
    }
    var _ = waiting.offer(STOPPED);
  }

  long dropped() {
    return dropped.get();
  }
}
