package org.terrace.middleware;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

  /**
   * Sends a call without waiting for its reply.
   *
   * @throws CallFailedException if it could not be sent
   */
  default PendingCall begin(CallRequest request) throws CallFailedException {
    return new ThreadedCall(this, request);
  }

  /**
   * Sends a call if that takes no wait for a further connection.
   *
   * @return null if it would; then nothing was sent
   * @throws CallFailedException if it could not be sent
   */
  default @Nullable PendingCall beginAtOnce(CallRequest request) throws CallFailedException {
    return begin(request);
  }

  /**
   * Whether the other end answers: a round trip that runs no call.
   *
   * @throws CallFailedException if it did not answer in that time
   */
  default void check(Duration timeout) throws CallFailedException {
    if (!isOpen()) {
      throw new CallFailedException(false, false, "the connection has ended", null);
    }
  }

  /** Whether a call may still be tried: false once the other end is known to be gone. */
  boolean isOpen();

  /** Calls the handler once, when the other end is gone or this one closed. */
  void onClosed(Runnable handler);

  @Override
  void close();
}
