package org.terrace.board;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.core.TimeSource;

/**
 * Tells on standard error what went wrong, at most one line a second: a database that has gone away
 * fails every request. What was left out is counted. Thread-safe.
 */
final class Complaints {
  private static final long LEAST_NANOS_BETWEEN = 1_000_000_000L;

  private final PrintStream out;
  private final TimeSource time;
  private final AtomicLong nextNanos;
  private final AtomicLong leftOut = new AtomicLong();

  Complaints(PrintStream out, TimeSource time) {
    this.out = out;
    this.time = time;
    this.nextNanos = new AtomicLong(time.elapsedNanos());
  }

  /** Reports a failure. */
  void about(String what, Throwable failure) {
    long now = time.elapsedNanos();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + LEAST_NANOS_BETWEEN)) {
      leftOut.incrementAndGet();
      return;
    }
    long silent = leftOut.getAndSet(0);
    out.println(
        "board: " + what + ": " + failure + (silent == 0 ? "" : " (and " + silent + " more)"));
  }
}
