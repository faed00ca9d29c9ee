package org.terrace.testing;

/**
 * A cause at work. Immutable.
 *
 * @param by the cause
 * @param startNanos its start, in nanoseconds since the Unix epoch
 * @param endNanos its end
 */
public record Holdup(HeldBy by, long startNanos, long endNanos) {}
