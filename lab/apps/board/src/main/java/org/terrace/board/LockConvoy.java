package org.terrace.board;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;

/**
 * A lock that every request for a page passes one after the other while the convoy lasts, each for
 * {@value #HELD_MILLIS} ms, as where somebody logs or counts under a lock: so long, no more than
 * {@code 1000 / HELD_MILLIS} pages a second come out, however many threads serve them. Thread-safe.
 */
final class LockConvoy {
  /** The time for which each request holds the lock. */
  static final int HELD_MILLIS = 10;

  private static final long HELD_NANOS = HELD_MILLIS * 1_000_000L;

  private final Object lock = new Object();
  private volatile boolean lasting;

  /** Lets the convoy last so long. */
  void last(Duration length, TimeSource time) throws InterruptedException {
    long end = time.elapsedNanos() + length.toNanos();
    lasting = true;
    try {
      for (long left = length.toNanos(); left > 0; left = end - time.elapsedNanos()) {
        LockSupport.parkNanos(left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      lasting = false;
    }
  }

  /** Passes the lock, at once where there is no convoy. */
  void pass(TimeSource time) {
    if (lasting) {
      synchronized (lock) {
        long end = time.elapsedNanos() + HELD_NANOS;
        while (lasting && time.elapsedNanos() < end) {
          LockSupport.parkNanos(end - time.elapsedNanos());
        }
      }
    }
  }
}
