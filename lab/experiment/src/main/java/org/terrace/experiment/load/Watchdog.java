package org.terrace.experiment.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;

/**
 * One thread that ends the waits of all users in time, instead of a timer for each: it looks at
 * every browser each {@value #PERIOD_MILLIS} ms, which is how exact the limits are. Thread-safe.
 */
final class Watchdog implements AutoCloseable {
  static final int PERIOD_MILLIS = 25;

  private final TimeSource clock;
  private final List<Browser> browsers = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  private Watchdog(TimeSource clock) {
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("watchdog").unstarted(this::watch);
  }

  static Watchdog start(TimeSource clock) {
    Watchdog watchdog = new Watchdog(clock);
    watchdog.thread.start();
    return watchdog;
  }

  /** Watches a browser from now on. */
  void add(Browser browser) {
    synchronized (browsers) {
      browsers.add(browser);
    }
  }

  private void watch() {
    while (!closed) {
      LockSupport.parkNanos(this, PERIOD_MILLIS * 1_000_000L);
      long now = clock.elapsedNanos();
      synchronized (browsers) {
        for (Browser browser : browsers) {
          browser.expire(now);
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
