package org.terrace.invocation.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.core.TimeSource;

/** The count of calls that a replica runs now, and the wait for its end. Thread-safe. */
final class CallsUnderWay {
  private final TimeSource time;
  private final AtomicInteger count = new AtomicInteger();
  private final Object lastCallEnded = new Object();
  private volatile boolean awaited;

  CallsUnderWay(TimeSource time) {
    this.time = time;
  }

  void begin() {
    count.incrementAndGet();
  }

  void end() {
    if (count.decrementAndGet() == 0 && awaited) {
      synchronized (lastCallEnded) {
        lastCallEnded.notifyAll();
      }
    }
  }

  int count() {
    return count.get();
  }

  /** Waits until no call is under way, and tells whether that came within the patience. */
  boolean awaitNone(Duration patience) throws InterruptedException {
    awaited = true;
    long end = time.elapsedNanos() + patience.toNanos();
    synchronized (lastCallEnded) {
      for (long left = patience.toNanos();
          count.get() > 0 && left > 0;
          left = end - time.elapsedNanos()) {
        TimeUnit.NANOSECONDS.timedWait(lastCallEnded, left);
      }
    }
    return count.get() == 0;
  }
}
