package org.terrace.observation;

import java.util.Map;
import java.util.Objects;

/**
 * An occurrence on a node, from one moment to another: a row of the events table. Immutable.
 *
 * @param node the name of the server or machine it happened on
 * @param kind what happened: one of {@link EventKinds}, or a word of the observer's own
 * @param startNanos its start, in nanoseconds since the Unix epoch
 * @param endNanos its end, in nanoseconds since the Unix epoch; equal to the start for an instant
 * @param attributes details by name, for example {@code cause -> Allocation Failure}
 */
public record Event(
    String node, String kind, long startNanos, long endNanos, Map<String, String> attributes) {

  /** Checks the order of the times and copies the attributes. */
  public Event {
    Objects.requireNonNull(node);
    Objects.requireNonNull(kind);
    attributes = Map.copyOf(attributes);
    if (endNanos < startNanos) {
      throw new IllegalArgumentException("end " + endNanos + " is before start " + startNanos);
    }
  }
}
