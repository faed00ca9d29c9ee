package org.terrace.load;

import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;

/**
 * A thread that does nothing but wake every {@value #PERIOD_MILLIS} ms and notes how late it was:
 * what the machine and this process do to any thread, whatever the users do. Thread-safe.
 */
final class Sentinel implements AutoCloseable {
  static final int PERIOD_MILLIS = 10;

  private static final long PERIOD_NANOS = PERIOD_MILLIS * 1_000_000L;
  private final TimeSource clock;
  private final TimeHistogram lateness = new TimeHistogram();
  private final Thread thread;
  private volatile boolean closed;

  private Sentinel(TimeSource clock) {
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("sentinel").unstarted(this::watch);
  }

  static Sentinel start(TimeSource clock) {
    Sentinel sentinel = new Sentinel(clock);
    sentinel.thread.start();
    return sentinel;
  }

  private void watch() {
    long due = clock.elapsedNanos() + PERIOD_NANOS;
    while (!closed) {
      long now = clock.elapsedNanos();
      if (now < due) {
        LockSupport.parkNanos(this, due - now);
      } else {
        synchronized (this) {
          lateness.add((now - due) / 1000);
        }
        due = now + PERIOD_NANOS;
      }
    }
  }

  /** Forgets what was noted so far. */
  synchronized void reset() {
    lateness.reset();
  }

  /** A quantile of the lateness noted, in microseconds. */
  synchronized double quantileMicros(double quantile) {
    return lateness.quantile(quantile);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
