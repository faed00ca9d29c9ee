package org.terrace.middleware;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pending call over a channel that can only wait: a virtual thread waits for it. Giving it up
 * interrupts that thread, which ends the call and maybe its connection, and says nothing of the
 * other end.
 */
final class ThreadedCall implements PendingCall {
  private record Ended(@Nullable CallReply reply, @Nullable CallFailedException failure) {}

  private final CompletableFuture<Ended> ended = new CompletableFuture<>();
  private final Thread waiter;
  private volatile boolean abandoned;

  /** An exchange that blocks until there is a reply. */
  @FunctionalInterface
  interface Exchange {
    /** The reply. */
    CallReply run() throws CallFailedException;
  }

  ThreadedCall(CallChannel channel, CallRequest request) {
    this(() -> channel.call(request, Duration.ofNanos(request.remainingNanos())));
  }

  ThreadedCall(Exchange exchange) {
    this(exchange, _ -> {});
  }

  /**
   * A call under way.
   *
   * @param onFailure told when the call failed by itself, before its caller is
   */
  ThreadedCall(Exchange exchange, Consumer<CallFailedException> onFailure) {
    waiter =
        Thread.startVirtualThread(() -> {
          try {
            ended.complete(new Ended(exchange.run(), null));
          } catch (CallFailedException e) {
            if (!abandoned) {
              onFailure.accept(e);
            }
            ended.complete(new Ended(null, e));
          } catch (RuntimeException e) {
            ended.complete(
                new Ended(null, new CallFailedException(true, false, String.valueOf(e), e)));
          }
        });
  }

  @Override
  public @Nullable CallReply await(long patienceNanos) throws CallFailedException {
    try {
      Ended end = ended.get(patienceNanos, TimeUnit.NANOSECONDS);
      if (end.failure() != null) {
        throw end.failure();
      }
      return end.reply();
    } catch (TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallFailedException(true, false, "the caller was interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void detach(Sink sink) {
    Thread.startVirtualThread(() -> tell(sink));
  }

  private void tell(Sink sink) {
    Ended end = ended.join();
    if (end.reply() != null) {
      sink.replied(end.reply());
    } else if (end.failure() != null) {
      sink.failed(end.failure());
    }
  }

  @Override
  public void abandon() {
    abandoned = true;
    waiter.interrupt();
  }
}
