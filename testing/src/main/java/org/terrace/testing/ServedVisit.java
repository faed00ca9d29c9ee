package org.terrace.testing;

/**
 * A request at one server, as its caller's host sees it. Immutable.
 *
 * @param server who was asked
 * @param kind what was asked for
 * @param client who asked
 * @param startNanos when the request was sent, in nanoseconds since the Unix epoch
 * @param endNanos when the answer came
 */
public record ServedVisit(
    String server, String kind, String client, long startNanos, long endNanos) {}
