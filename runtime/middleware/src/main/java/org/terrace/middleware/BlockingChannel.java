package org.terrace.middleware;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A channel over a library whose calls block and cannot be given a time each: a virtual thread
 * makes the call, and the caller waits as long as it likes. Thread-safe.
 *
 * <p>A timeout of {@link #ENDLESS} or more needs no such watch: then the caller's own thread makes
 * the call, without a hand-over.
 */
public abstract class BlockingChannel implements CallChannel {
  /** The timeout from which on a call is waited for without a watch. */
  public static final Duration ENDLESS = Duration.ofDays(1);

  private static final CallReply NOTHING = new CallReply(CallReply.Status.RESULT, new byte[0]);

  private final String peer;
  private final AtomicReference<@Nullable Runnable> closedHandler = new AtomicReference<>();
  private volatile boolean open = true;

  /**
   * An open channel.
   *
   * @param peer the other end, as messages name it
   */
  protected BlockingChannel(String peer) {
    this.peer = peer;
  }

  /**
   * Sends a call and blocks until its reply.
   *
   * @throws CallFailedException if there will be none; the channel is closed unless it timed out
   */
  protected abstract CallReply exchange(CallRequest request) throws CallFailedException;

  /**
   * Blocks for a round trip that runs no call.
   *
   * @throws CallFailedException if the other end is gone
   */
  protected abstract void ping() throws CallFailedException;

  /** Frees what the channel holds; called once or more. */
  protected abstract void release();

  @Override
  public final CallReply call(CallRequest request, Duration timeout) throws CallFailedException {
    if (timeout.compareTo(ENDLESS) >= 0 && request.replyWanted()) {
      requireOpen();
      try {
        return exchange(request);
      } catch (CallFailedException e) {
        lost(e);
        throw e;
      }
    }
    return await(begin(request), timeout);
  }

  @Override
  public final PendingCall begin(CallRequest request) throws CallFailedException {
    requireOpen();
    ThreadedCall started = new ThreadedCall(() -> exchange(request), this::lost);
    return request.replyWanted() ? started : new ThreadedCall(() -> NOTHING);
  }

  @Override
  public final void check(Duration timeout) throws CallFailedException {
    requireOpen();
    ThreadedCall.Exchange round =
        () -> {
          ping();
          return NOTHING;
        };
    await(new ThreadedCall(round, this::lost), timeout);
  }

  private CallReply await(PendingCall pending, Duration timeout) throws CallFailedException {
    CallReply reply = pending.await(timeout.toNanos());
    if (reply == null) {
      pending.abandon();
      throw new CallFailedException(true, true, peer + " gave no reply in time", null);
    }
    return reply;
  }

  /** A call that failed by itself, other than for its time, tells that the other end is gone. */
  private void lost(CallFailedException failure) {
    if (!failure.timedOut()) {
      close();
    }
  }

  private void requireOpen() throws CallFailedException {
    if (!open) {
      throw new CallFailedException(false, false, "the connection to " + peer + " ended", null);
    }
  }

  @Override
  public final boolean isOpen() {
    return open;
  }

  @Override
  public final void onClosed(Runnable handler) {
    closedHandler.set(handler);
    if (!open) {
      runClosedHandler();
    }
  }

  @Override
  public final void close() {
    open = false;
    release();
    runClosedHandler();
  }

  private void runClosedHandler() {
    Runnable handler = closedHandler.getAndSet(null);
    if (handler != null) {
      handler.run();
    }
  }
}
