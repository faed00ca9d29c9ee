package org.terrace.nodes.machine;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.core.TimeSource;
import org.terrace.nodes.monitor.EarlyEnd;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.nodes.monitor.MonitorThreads;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * Watches the control groups of limited servers, and records the stretches in which the kernel held
 * one back. The kernel tells only counts, so that a stretch is exact to the interval of {@value
 * #INTERVAL_MILLIS} ms at which they are read. Thread-safe.
 */
public final class Throttling implements AutoCloseable {
  static final long INTERVAL_MILLIS = 50;

  private final Map<String, ControlGroup> groups;
  private final TimeSource time;
  private final Map<String, CpuThrottling> before = new HashMap<>();
  private final KeptEvents kept;
  private final MonitorThreads threads = new MonitorThreads("throttling");
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private long beforeNanos;
  private final EarlyEnd early = new EarlyEnd();
  private boolean closed;

  /**
   * Starts to watch.
   *
   * @param groups the control groups, by the server's name
   * @param kept takes the stretches
   */
  public Throttling(Map<String, ControlGroup> groups, TimeSource time, KeptEvents kept) {
    this.kept = kept;
    this.groups = Map.copyOf(groups);
    this.time = time;
    if (!groups.isEmpty()) {
      // A group that is gone takes the watch of all with it.
      threads.newThread(early.noting(this::run)).start();
    }
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        read();
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

  private void read() {
    long now = time.epochNanos();
    groups.forEach((server, group) -> {
      CpuThrottling counts = group.throttling();
      CpuThrottling last = before.put(server, counts);
      if (last == null) {
        return;
      }
      long withheld = counts.throttledNanos() - last.throttledNanos();
      if (withheld > 0) {
        Map<String, String> details =
            Map.of(
                "withheldNanos",
                Long.toString(withheld),
                "throttledPeriods",
                Long.toString(counts.throttledPeriods() - last.throttledPeriods()),
                EventKinds.PERIOD_MICROS,
                Long.toString(group.periodMicros()));
        kept.add(
            new Event(
                server,
                EventKinds.CPU_THROTTLED,
                beforeNanos,
                Math.max(beforeNanos, now),
                details));
      }
    });
    beforeNanos = now;
  }

  /** The reason for which it has ended before it was closed; empty if it has not. */
  public Optional<String> failure() {
    return early.reason();
  }

  /** The processor time in nanoseconds that the watch has taken; 0 after its end. */
  public long cpuNanos() {
    return threads.cpuNanos();
  }

  /** Watches no more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
