package org.terrace.testing;

/**
 * An event as the reader of a log or of a host's files would give it. Immutable.
 *
 * @param node where it happened
 * @param kind its kind
 * @param startNanos its start, in nanoseconds since the Unix epoch
 * @param endNanos its end
 */
public record Told(String node, String kind, long startNanos, long endNanos) {}
