package org.terrace.nodes;

/**
 * The end of a process. Immutable.
 *
 * @param status its exit status; 128 and the signal's number when a signal ended it
 * @param timeNanos when it was seen, in nanoseconds since the Unix epoch
 */
public record Exit(int status, long timeNanos) {}
