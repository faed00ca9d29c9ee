package org.terrace.control;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.terrace.middleware.Endpoint;

/**
 * Names to references: where the client of a service learns who its replicas are. Thread-safe.
 * Methods may block on the network.
 */
public interface Naming extends AutoCloseable {

  /** The newest reference of a service; empty if the name is unknown. */
  Optional<ServiceReference> resolve(String service);

  /**
   * Calls the handler with each newer reference of a service soon after it is known (the immediate
   * notice of a new primary), until the returned watch is closed.
   */
  Watch watch(String service, Consumer<ServiceReference> handler);

  /** A naming of references that never change: for tests, and where no naming service runs. */
  static Naming fixed(ServiceReference... references) {
    return new FixedNaming(references);
  }

  /** A naming of one service whose replicas never change, the primary first. */
  static Naming fixed(String service, Style style, Endpoint... replicas) {
    return fixed(new ServiceReference(service, style, 1, 1, List.of(replicas)));
  }

  /** Closes connections; does nothing the second time. */
  @Override
  void close();

  /** A running {@link #watch}. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
