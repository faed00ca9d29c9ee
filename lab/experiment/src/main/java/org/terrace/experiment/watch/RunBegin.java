package org.terrace.experiment.watch;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The beginning of a run: its limits are put in force, and no fault waits for that. Stateless. */
public final class RunBegin {
  private RunBegin() {}

  /**
   * Begins the run when its users do, on a thread of its own: that of the users' words must not
   * wait for a host.
   *
   * @param runStart completes with the start of the run, in nanoseconds since the Unix epoch
   * @param faults starts the faults, from that moment on, without waiting for a host
   * @param limits puts the limits in force, and may wait for the slowest host
   * @return what became of the limits
   */
  public static <T> CompletableFuture<T> at(
      CompletableFuture<Long> runStart, LongConsumer faults, Supplier<T> limits) {
    return runStart.thenApplyAsync(
        start -> {
          faults.accept(start);
          return limits.get();
        },
        Thread::startVirtualThread);
  }
}
