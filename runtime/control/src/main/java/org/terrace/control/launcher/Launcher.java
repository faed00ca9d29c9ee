package org.terrace.control.launcher;

import java.util.function.Consumer;

/**
 * A starter of replicas, which also ends them: on this machine, or wherever an implementation knows
 * how. The counterpart of the generic factory of fault-tolerant CORBA. Thread-safe.
 */
public interface Launcher extends AutoCloseable {

  /** The end of a replica, or of the attempt to start it, with the reason. */
  record Ended(String service, String replica, String reason) {}

  /**
   * Starts a replica and returns at once.
   *
   * @param ended called once, when the replica's process has ended or could not be started
   */
  void launch(String service, String replica, Consumer<Ended> ended);

  /**
   * Ends a replica at once, also one that hangs, and also one that an earlier manager started.
   *
   * @param pid its process, as it has registered it; 0 if it never registered
   */
  void kill(String replica, long pid);

  /** Ends what this launcher started, unless another manager looks after it. */
  @Override
  void close();
}
