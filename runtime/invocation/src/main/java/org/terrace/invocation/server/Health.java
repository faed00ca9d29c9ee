package org.terrace.invocation.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;

/**
 * The ability of a replica to do its work: each of its checks is made again and again on a thread
 * of its own, and one that has not gone well for the patience, failing or hanging, makes the
 * replica unhealthy until it goes well again. Thread-safe.
 */
final class Health implements AutoCloseable {
  private static final long PERIOD_MILLIS = 250;

  /** A check, which throws if it does not go well. */
  @FunctionalInterface
  interface Check {
    void run() throws Exception;

    /**
     * The time at which it last went well: the end of the last run that did, or another known time.
     */
    default long wellNanos(long lastRunNanos) {
      return lastRunNanos;
    }
  }

  private final class Watched {
    private final Check check;
    private volatile long wellNanos = time.elapsedNanos();

    Watched(Check check) {
      this.check = check;
    }

    void watch() {
      try {
        do {
          try {
            check.run();
            wellNanos = time.elapsedNanos();
          } catch (InterruptedException e) {
            throw e;
          } catch (Throwable notWell) {
            // The time since it last went well tells.
          }
        } while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final TimeSource time;
  private final long patienceNanos;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Watched> watched;

  /** Healthy so far. */
  Health(List<Check> checks, Duration patience, TimeSource time) {
    this.time = time;
    patienceNanos = patience.toNanos();
    watched = checks.stream().map(Watched::new).toList();
    watched.forEach(each -> Thread.ofVirtual().name("terrace-health").start(each::watch));
  }

  /** Whether every check has gone well lately; returns at once. */
  boolean isHealthy() {
    long now = time.elapsedNanos();
    for (Watched each : watched) {
      if (now - each.check.wellNanos(each.wellNanos) > patienceNanos) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
