package org.terrace.nodes.fault;

import org.terrace.nodes.Node;

/** The servers of a trial as faults strike them. Thread-safe. */
public interface FaultTargets {
  /** The process that plays a server now. */
  Node node(String server);

  /** Starts a server again, without waiting until it is ready. */
  void restart(String server);

  /** The process that takes the order for a fault: an application server itself, or a helper. */
  default Node breaker(Fault fault) {
    return node(fault.server());
  }

  /**
   * The means by which a fault holds its server from outside.
   *
   * @throws org.terrace.core.TerraceException if this machine does not permit it
   */
  Hold hold(Fault fault);
}
