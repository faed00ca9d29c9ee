package org.terrace.cart.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.LongAdder;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/**
 * An execution that takes note of how busy another one is: the mean number of calls that it runs at
 * once, by Little's law from the time they took. Thread-safe.
 */
public final class LoadMeter implements Execution {
  private final Execution measured;
  private final int full;
  private final TimeSource time = TimeSource.system();
  private final LongAdder busyNanos = new LongAdder();

  @GuardedBy("this")
  private long askedNanos;

  /**
   * Measures an execution.
   *
   * @param full how many calls at once are as much as it can do, 1 or more
   */
  public LoadMeter(Execution measured, int full) {
    this.measured = measured;
    this.full = full;
    askedNanos = time.elapsedNanos();
  }

  /** The load since this was last asked: 0 for idle, 1 for as much as it can do. */
  public synchronized double load() {
    long nowNanos = time.elapsedNanos();
    long periodNanos = Math.max(1, nowNanos - askedNanos);
    askedNanos = nowNanos;
    return (double) busyNanos.sumThenReset() / periodNanos / full;
  }

  @Override
  public boolean isBehind() {
    return measured.isBehind();
  }

  @Override
  public CallReply execute(CallRequest request, Executable work) {
    long begin = time.elapsedNanos();
    try {
      return measured.execute(request, work);
    } finally {
      busyNanos.add(time.elapsedNanos() - begin);
    }
  }

  @Override
  public CallReply read(CallRequest request, Executable work) {
    long begin = time.elapsedNanos();
    try {
      return measured.read(request, work);
    } finally {
      busyNanos.add(time.elapsedNanos() - begin);
    }
  }

  @Override
  public void close() {
    measured.close();
  }
}
