package org.terrace.invocation.retention.oracle;

import java.util.function.LongSupplier;

/** The epoch of a service, and which one the call of the present thread goes by. Thread-safe. */
final class CallEpoch implements LongSupplier {
  private final LongSupplier epoch;
  private final ThreadLocal<Long> ofCall = new ThreadLocal<>();

  CallEpoch(LongSupplier epoch) {
    this.epoch = epoch;
  }

  @Override
  public long getAsLong() {
    long now = epoch.getAsLong();
    ofCall.set(now);
    return now;
  }

  /** The epoch that was last asked for by this thread. */
  long ofCall() {
    return ofCall.get();
  }
}
