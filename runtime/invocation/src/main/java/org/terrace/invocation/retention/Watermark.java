package org.terrace.invocation.retention;

/**
 * The point up to which a client has acknowledged replies.
 *
 * @param client the client
 * @param firstIncomplete the lowest sequence that it may still send
 */
record Watermark(long client, long firstIncomplete) {
  /** The watermark of a client whose lease is over: it may send nothing. */
  static final long FORGOTTEN = Long.MAX_VALUE;
}
