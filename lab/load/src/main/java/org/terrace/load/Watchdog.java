package org.terrace.load;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;

/**
 * One thread that ends the waits of all users in time, instead of a timer for each: it looks at
 * every user each {@value #PERIOD_MILLIS} ms, which is how exact the limits are. Thread-safe.
 */
public final class Watchdog implements AutoCloseable {
  static final int PERIOD_MILLIS = 25;

  private final TimeSource clock;
  private final List<EmulatedUser> users;
  private final Thread thread;
  private volatile boolean closed;

  private Watchdog(TimeSource clock, List<EmulatedUser> users) {
    this.users = List.copyOf(users);
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("watchdog").unstarted(this::watch);
  }

  static Watchdog start(TimeSource clock, List<EmulatedUser> users) {
    Watchdog watchdog = new Watchdog(clock, users);
    watchdog.thread.start();
    return watchdog;
  }

  private void watch() {
    while (!closed) {
      LockSupport.parkNanos(this, PERIOD_MILLIS * 1_000_000L);
      long now = clock.elapsedNanos();
      for (EmulatedUser user : users) {
        user.expire(now);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
