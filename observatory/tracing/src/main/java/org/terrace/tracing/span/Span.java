package org.terrace.tracing.span;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One span of a trace, as all formats have it. Immutable.
 *
 * @param traceId the trace's identifier: hexadecimal digits, or whatever the file has
 * @param spanId the span's identifier, unique in its trace but for a server's that shares its
 *     client's
 * @param parentId the {@code spanId} of the span that caused it; null for a root
 * @param side the side of the call that measured it
 * @param service who measured it
 * @param name what was asked or done
 * @param startNanos its start, in nanoseconds since the Unix epoch
 * @param endNanos its end, never before the start
 * @param failed whether it is said to have failed
 * @param attributes those of its attributes that {@link Attributes#isKept} keeps
 */
record Span(
    String traceId,
    String spanId,
    @Nullable String parentId,
    Side side,
    String service,
    String name,
    long startNanos,
    long endNanos,
    boolean failed,
    Map<String, String> attributes) {

  /** The side of a call. */
  enum Side {
    /** Nothing tells. */
    UNTOLD,
    /** Within a service. */
    INTERNAL,
    /** The side that answers. */
    SERVER,
    /** The side that asks. */
    CLIENT,
    /** The side that sends a message. */
    PRODUCER,
    /** The side that handles a message. */
    CONSUMER;

    boolean answers() {
      return this == SERVER || this == CONSUMER;
    }

    boolean asks() {
      return this == CLIENT || this == PRODUCER;
    }
  }

  /** Copies the attributes. */
  Span {
    attributes = Map.copyOf(attributes);
  }

  /** An attribute's value; null if it has none. */
  @Nullable String attribute(String key) {
    return attributes.get(key);
  }
}
