package org.terrace.nodes.monitor;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The end of a monitor's work by an error, before it was closed: its thread is gone, and what it
 * has not read nobody misses unless he is told. Thread-safe.
 */
public final class EarlyEnd {
  private final AtomicReference<Optional<String>> reason = new AtomicReference<>(Optional.empty());

  /** The same work, of which an error is kept as the reason and goes no further. */
  public Runnable noting(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        reason.compareAndSet(Optional.empty(), Optional.of(e.toString()));
      }
    };
  }

  /** The reason of the first error; empty if there was none. */
  public Optional<String> reason() {
    return reason.get();
  }
}
