package org.terrace.collections.replica;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;

/** An update that waits for acknowledgement, and the thread that waits with it. Thread-safe. */
public final class PendingWrite implements Acknowledgement {
  /** The update's number. */
  public final long sequence;

  final WriteLevel level;

  /** The reason why no wait would end well, if that is known from the beginning. */
  final Optional<String> outOfReach;

  private final TimeSource time;
  private volatile boolean acknowledged;
  private volatile @Nullable Thread waiter;
  private @Nullable Runnable then;

  PendingWrite(long sequence, WriteLevel level, TimeSource time) {
    this(sequence, level, time, Optional.empty());
  }

  PendingWrite(long sequence, WriteLevel level, TimeSource time, Optional<String> outOfReach) {
    this.sequence = sequence;
    this.level = level;
    this.time = time;
    this.outOfReach = outOfReach;
  }

  /** Runs a task once, when the write is acknowledged or at once. Within a step. */
  void whenAcknowledged(Runnable task) {
    if (acknowledged) {
      task.run();
    } else {
      then = task;
    }
  }

  void acknowledge() {
    acknowledged = true;
    if (then != null) {
      then.run();
    }
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  @Override
  public boolean isAcknowledged() {
    return acknowledged;
  }

  @Override
  public boolean await(long timeoutNanos, long spinNanos) {
    if (acknowledged || outOfReach.isPresent()) {
      return acknowledged;
    }
    long startNanos = time.elapsedNanos();
    waiter = Thread.currentThread();
    boolean interrupted = false;
    while (!acknowledged) {
      long waitedNanos = time.elapsedNanos() - startNanos;
      if (waitedNanos >= timeoutNanos) {
        break;
      }
      if (waitedNanos < spinNanos) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, timeoutNanos - waitedNanos);
        interrupted |= Thread.interrupted();
      }
    }
    waiter = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return acknowledged;
  }
}
