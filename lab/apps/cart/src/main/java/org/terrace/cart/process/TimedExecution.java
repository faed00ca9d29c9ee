package org.terrace.cart.process;

import org.terrace.core.TimeSource;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/**
 * An execution that takes note of how long another one takes: the service's method with its data,
 * and what identifies the call. Thread-safe.
 */
public final class TimedExecution implements Execution {
  private final Execution timed;
  private final DataTimes times;
  private final TimeSource time = TimeSource.system();

  /** Times an execution. */
  public TimedExecution(Execution timed, DataTimes times) {
    this.timed = timed;
    this.times = times;
  }

  @Override
  public CallReply execute(CallRequest request, Executable work) {
    long begin = time.elapsedNanos();
    CallReply reply = timed.execute(request, work);
    times.add(true, time.elapsedNanos() - begin);
    return reply;
  }

  @Override
  public CallReply read(CallRequest request, Executable work) {
    long begin = time.elapsedNanos();
    CallReply reply = timed.read(request, work);
    times.add(false, time.elapsedNanos() - begin);
    return reply;
  }

  @Override
  public void close() {
    timed.close();
  }
}
