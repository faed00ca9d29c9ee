package org.terrace.middleware.terrace;

import java.util.concurrent.atomic.LongAdder;

/** The counts of one end's transport. Thread-safe; readings are not of one moment. */
public final class TransportCounters {
  final LongAdder connections = new LongAdder();
  final LongAdder connectionsRefused = new LongAdder();
  final LongAdder framesMalformed = new LongAdder();
  final LongAdder framesTooLarge = new LongAdder();

  final LongAdder cancellations = new LongAdder();

  TransportCounters() {}

  /** Connections that were opened. */
  public long connections() {
    return connections.sum();
  }

  /** Connections that were turned away: of another protocol or version, without the secret. */
  public long connectionsRefused() {
    return connectionsRefused.sum();
  }

  /** Calls that were interrupted because their client no longer waited. */
  public long cancellations() {
    return cancellations.sum();
  }

  /** Frames that were none of the protocol; each ended its connection. */
  public long framesMalformed() {
    return framesMalformed.sum();
  }

  /** Frames beyond the largest size; each ended its connection. */
  public long framesTooLarge() {
    return framesTooLarge.sum();
  }
}
