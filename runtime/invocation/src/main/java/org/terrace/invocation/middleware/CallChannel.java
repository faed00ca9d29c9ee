package org.terrace.invocation.middleware;

import java.time.Duration;

/**
 * An open connection of a client to one replica. Thread-safe; calls may run side by side.
 *
 * <p>It tells two failures apart, because what a client may do next depends on it: {@link
 * CallFailedException#executed()} is false only where the replica certainly never saw the whole
 * request.
 */
public interface CallChannel extends AutoCloseable {

  /**
   * Sends a call and waits for its reply.
   *
   * @throws CallFailedException if the connection ended or the time was up first
   */
  CallReply call(CallRequest request, Duration timeout) throws CallFailedException;

  /** Whether a call may still be tried: false once the other end is known to be gone. */
  boolean isOpen();

  /** Calls the handler once, when the other end is gone or this one closed. */
  void onClosed(Runnable handler);

  @Override
  void close();
}
