package org.terrace.nodes.machine;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.core.TimeSource;
import org.terrace.nodes.monitor.EarlyEnd;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * A watch of the clock of a processor that one server is bound to: it records the stretches below
 * the fastest, to {@value #INTERVAL_MILLIS} ms and a twentieth of the fastest clock. One thread of
 * its own; thread-safe.
 */
public final class HostClockWatch implements AutoCloseable {
  static final long INTERVAL_MILLIS = 20;
  private static final double STEPS = 20;

  private final String server;
  private final HostFrequency clock;
  private final TimeSource time;
  private final KeptEvents kept;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private final EarlyEnd early = new EarlyEnd();
  private double share = 1;
  private long sinceNanos;
  private boolean closed;

  /**
   * Starts to watch.
   *
   * @param kept takes the stretches below the fastest clock
   */
  public HostClockWatch(String server, HostFrequency clock, TimeSource time, KeptEvents kept) {
    this.kept = kept;
    this.server = server;
    this.clock = clock;
    this.time = time;
    this.sinceNanos = time.epochNanos();
    Thread.ofPlatform().daemon().name("clock of " + server).start(early.noting(this::run));
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        double now = Math.min(1, Math.round(clock.share() * STEPS) / STEPS);
        if (now != share) {
          record();
          share = now;
          sinceNanos = time.epochNanos();
        }
        long left = Duration.ofMillis(INTERVAL_MILLIS).toNanos();
        while (left > 0 && !closed) {
          left = closing.awaitNanos(left);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void record() {
    if (share < 1) {
      kept.add(
          new Event(
              server,
              EventKinds.FREQUENCY_LOW,
              sinceNanos,
              Math.max(sinceNanos, time.epochNanos()),
              Map.of(
                  "ofFastest",
                  String.format(Locale.ROOT, "%.2f", share),
                  "by",
                  "the machine's governor " + clock.lagging())));
    }
  }

  /** The reason for which it has ended before it was closed; empty if it has not. */
  public Optional<String> failure() {
    return early.reason();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        record();
      }
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
