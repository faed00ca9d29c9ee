package org.terrace.control;

import java.util.List;
import java.util.Objects;
import org.terrace.middleware.Endpoint;

/**
 * The reference to a service: all of its replicas, the primary first; the counterpart of an
 * interoperable object group reference with several endpoints.
 *
 * @param service the service's name
 * @param style how its replicas share the work
 * @param epoch grows by one with each change of the primary, from 1; the database refuses the
 *     writes of a primary of an earlier epoch
 * @param version grows by one with each change of the reference; of two, the higher is newer
 * @param endpoints the replicas, the primary first; may be empty while none is registered
 */
public record ServiceReference(
    String service, Style style, long epoch, long version, List<Endpoint> endpoints) {

  /** Refuses an epoch or version below zero. */
  public ServiceReference {
    Objects.requireNonNull(service);
    Objects.requireNonNull(style);
    endpoints = List.copyOf(endpoints);
    if (epoch < 0 || version < 0) {
      throw new IllegalArgumentException("Epoch and version of " + service + " are not negative.");
    }
  }
}
