package org.terrace.nodes.machine;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.terrace.core.TimeSource;
import org.terrace.nodes.monitor.EarlyEnd;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The emulation of a lagging frequency governor for one server where the machine's own clock cannot
 * be changed: its control group's quota follows the clock of {@link PState#XEON}, by the rule of
 * {@link LaggingGovernor}. Work takes the processor's full speed for a part of each period of the
 * quota, so that throughput falls as with a slower clock, while what takes less than a period may
 * not be slower. One thread of its own; thread-safe.
 */
public final class GovernorEmulation implements AutoCloseable {
  private final String server;
  private final ControlGroup group;
  private final double cores;
  private final Supplier<List<Long>> members;
  private final Duration interval;
  private final TimeSource time;
  private final LaggingGovernor governor = new LaggingGovernor(PState.XEON);
  private final KeptEvents kept;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private final EarlyEnd early = new EarlyEnd();
  private PState state;
  private long sinceNanos;
  private boolean closed;

  /**
   * An emulation that has not started.
   *
   * @param cores the server's limit at the fastest clock
   * @param members the server's processes at the moment of the call
   * @param interval the time between two decisions
   * @param kept takes the stretches below the fastest clock
   */
  public GovernorEmulation(
      String server,
      ControlGroup group,
      double cores,
      Supplier<List<Long>> members,
      Duration interval,
      TimeSource time,
      KeptEvents kept) {
    this.kept = kept;
    this.server = server;
    this.group = group;
    this.cores = cores;
    this.members = members;
    this.interval = interval;
    this.time = time;
    this.state = governor.slowest();
  }

  /** Puts the slowest clock in force, and decides from then on. */
  public void start() {
    lock.lock();
    try {
      sinceNanos = time.epochNanos();
      group.enforce(state.share());
      Thread.ofPlatform().daemon().name("governor of " + server).start(early.noting(this::run));
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    lock.lock();
    try {
      long nanos = ProcessorTime.nanos(group, members.get());
      long before = time.elapsedNanos();
      while (!closed) {
        long left = interval.toNanos();
        while (left > 0 && !closed) {
          left = closing.awaitNanos(left);
        }
        if (closed) {
          return;
        }
        long now = time.elapsedNanos();
        long used = ProcessorTime.nanos(group, members.get());
        double room = (now - before) * cores * state.share();
        go(governor.next(state, (used - nanos) / room));
        nanos = used;
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void go(PState next) {
    if (!next.equals(state)) {
      record();
      group.enforce(next.share());
      state = next;
      sinceNanos = time.epochNanos();
    }
  }

  /** A stretch below the fastest clock; at the fastest there is nothing to tell. */
  private void record() {
    if (state.share() < 1) {
      kept.add(
          new Event(
              server,
              EventKinds.FREQUENCY_LOW,
              sinceNanos,
              Math.max(sinceNanos, time.epochNanos()),
              Map.of(
                  "state",
                  state.name(),
                  "ofFastest",
                  String.format(Locale.ROOT, "%.3f", state.share()),
                  "by",
                  "emulation by a CPU quota")));
    }
  }

  /** The reason for which it has ended before it was closed; empty if it has not. */
  public Optional<String> failure() {
    return early.reason();
  }

  /** Decides no more, and puts the whole limit in force. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed && sinceNanos > 0) {
        closed = true;
        record();
        early.noting(group::enforce).run(); // whose group may be gone
      }
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
