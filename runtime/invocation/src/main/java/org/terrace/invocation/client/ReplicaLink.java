package org.terrace.invocation.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Middleware;

/** A client's way to one replica: a channel, and the session at its other end. Thread-safe. */
final class ReplicaLink {
  /**
   * The time for which a replica that failed is tried last, unless a check finds it well before.
   */
  private static final long SUSPICION_NANOS = 5_000_000_000L;

  /** An open channel, and what opening took: nothing if it was open. */
  record Opened(CallChannel channel, long connectNanos, long restoreNanos) {}

  private final Endpoint endpoint;
  private final Middleware middleware;
  private final LongSupplier client;
  private final TimeSource time;
  private final ReentrantLock opening = new ReentrantLock();
  private final AtomicLong warmUps = new AtomicLong();
  private final AtomicReference<@Nullable CompletableFuture<Boolean>> asking =
      new AtomicReference<>();
  private final SignEstimate signs = new SignEstimate();
  private volatile @Nullable CallChannel channel;
  private volatile long trustedFromNanos;
  private volatile boolean closed;

  /** The number under which the session at the channel's other end was restored. */
  private volatile long restoredFor;

  ReplicaLink(Endpoint endpoint, Middleware middleware, LongSupplier client, TimeSource time) {
    this.endpoint = endpoint;
    this.middleware = middleware;
    this.client = client;
    this.time = time;
    trustedFromNanos = time.elapsedNanos();
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** The channel if it is open and the session at its other end is the client's. */
  @Nullable CallChannel current() {
    CallChannel known = channel;
    return known != null && known.isOpen() && restoredFor == client.getAsLong() ? known : null;
  }

  /** Whether it hung, was lost or drained, and has not been seen well since. */
  boolean isSuspect() {
    return time.elapsedNanos() - trustedFromNanos < 0;
  }

  /** Whether it is connected, and its end has not been seen. */
  boolean isOpen() {
    return current() != null;
  }

  /** Whether it was connected and its end has been seen. */
  boolean isGone() {
    CallChannel known = channel;
    return known != null && !known.isOpen();
  }

  void suspect() {
    trustedFromNanos = time.elapsedNanos() + SUSPICION_NANOS;
  }

  /**
   * The channel, opened if it is not.
   *
   * @throws IOException if the replica cannot be reached or does not take the session
   */
  Opened open(long timeoutNanos) throws IOException {
    CallChannel known = current();
    if (known != null) {
      return new Opened(known, 0, 0);
    }
    opening.lock();
    try {
      known = current();
      if (known != null) {
        return new Opened(known, 0, 0);
      }
      if (closed) {
        throw new IOException("the client is closed");
      }
      long start = time.elapsedNanos();
      long number = client.getAsLong();
      known = channel;
      if (known != null && known.isOpen()) {
        restoreSession(known, number, timeoutNanos);
        restoredFor = number;
        return new Opened(known, 0, time.elapsedNanos() - start);
      }
      CallChannel fresh = middleware.connect(endpoint, Duration.ofNanos(timeoutNanos));
      long connected = time.elapsedNanos();
      try {
        restoreSession(fresh, number, Math.max(1, timeoutNanos - (connected - start)));
      } catch (IOException e) {
        fresh.close();
        throw e;
      }
      restoredFor = number;
      channel = fresh;
      return new Opened(fresh, connected - start, time.elapsedNanos() - connected);
    } finally {
      opening.unlock();
    }
  }

  private void restoreSession(CallChannel fresh, long number, long timeoutNanos)
      throws IOException {
    CallRequest request =
        CallRequest.control(
            CallRequest.Kind.RESTORE_SESSION, "", new RequestIdentity(number, 1), timeoutNanos);
    try {
      CallReply reply = fresh.call(request, Duration.ofNanos(timeoutNanos));
      if (reply.status() != CallReply.Status.RESULT) {
        throw new IOException(
            "no session at " + endpoint.replica() + ": " + CallTexts.reason(reply));
      }
    } catch (CallFailedException e) {
      throw new IOException("no session at " + endpoint.replica() + ": " + e.getMessage(), e);
    }
  }

  /** One look after the replica in the background: it is suspect or not thereafter. */
  void check(Duration timeout) {
    try {
      CallChannel opened = open(timeout.toNanos()).channel();
      long asked = time.elapsedNanos();
      opened.check(timeout);
      trustedFromNanos = time.elapsedNanos();
      signs.add(trustedFromNanos - asked);
    } catch (IOException | CallFailedException e) {
      suspect();
    }
  }

  /**
   * Whether the replica gives a sign of life, in a little more time than it took for it lately;
   * callers at the same time ask one question.
   */
  boolean givesSign() {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> asked = asking.compareAndExchange(null, mine);
    if (asked != null) {
      return asked.join();
    }
    try {
      check(Duration.ofNanos(signs.patienceNanos()));
    } finally {
      asking.set(null);
      mine.complete(!isSuspect());
    }
    return !isSuspect();
  }

  /** A call that does nothing, over the connection that the next call will take. */
  void warmUp(String service, Duration timeout) {
    CallChannel known = current();
    if (known == null) {
      return;
    }
    try {
      RequestIdentity identity = new RequestIdentity(client.getAsLong(), warmUps.incrementAndGet());
      CallRequest request =
          CallRequest.control(CallRequest.Kind.WARM_UP, service, identity, timeout.toNanos());
      CallReply reply = known.call(request, timeout);
      assert reply.status() != CallReply.Status.REFUSED : "nobody refuses a warm-up";
    } catch (CallFailedException e) {
      suspect();
    }
  }

  /** Lets the replica renew the client's lease. */
  void keepKnown(Duration timeout) {
    CallChannel known = current();
    if (known == null) {
      return;
    }
    try {
      CallRequest request =
          CallRequest.control(
              CallRequest.Kind.RENEW_LEASE,
              "",
              new RequestIdentity(client.getAsLong(), 1),
              timeout.toNanos());
      CallReply reply = known.call(request, timeout);
      assert reply.status() != CallReply.Status.REFUSED : "nobody refuses a lease";
    } catch (CallFailedException e) {
      suspect();
    }
  }

  void close() {
    opening.lock();
    try {
      closed = true;
      CallChannel known = channel;
      if (known != null) {
        known.close();
      }
    } finally {
      opening.unlock();
    }
  }
}
