package org.terrace.nodes.fault;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A fault from outside that ends with its host. Confined to one thread at a time. */
public final class KeptHold implements Hold, AutoCloseable {
  private final Hold hold;
  private final AtomicBoolean held = new AtomicBoolean();

  /** A fault that has not begun. */
  public KeptHold(Hold hold) {
    this.hold = hold;
  }

  @Override
  public void begin() {
    held.set(true);
    hold.begin();
  }

  @Override
  public Map<String, String> end() {
    Map<String, String> facts = hold.end();
    held.set(false); // what could not be ended is tried again when the host ends
    return facts;
  }

  @Override
  public void close() {
    if (held.getAndSet(false)) {
      var _ = hold.end();
    }
  }
}
