package org.terrace.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.terrace.core.TimeSource;

/** Waits for something another process does. */
public final class Await {
  private static final Duration POLL = Duration.ofMillis(10);

  private Await() {}

  /** Whether the condition came true within the time. */
  public static boolean until(Duration limit, BooleanSupplier condition) {
    long deadline = TimeSource.system().elapsedNanos() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (TimeSource.system().elapsedNanos() > deadline) {
        return false;
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    return true;
  }
}
