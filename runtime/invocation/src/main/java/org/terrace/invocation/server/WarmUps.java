package org.terrace.invocation.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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

/**
 * A replica's own client, which calls its services before others do: code that has never run makes
 * the first call take tens of milliseconds, and that is the call of a client whose primary died.
 *
 * <p>Warm-up calls go over a connection of their own through the whole way of a call, with a
 * transaction that is rolled back. They never run a method of the service. Thread-safe.
 */
final class WarmUps implements AutoCloseable {
  private static final int CALLS_AT_EXPORT = 200;
  private static final long EXPORT_BUDGET_NANOS = 150_000_000L;
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Middleware middleware;
  private final Endpoint self;
  private final LongSupplier answered;
  private final TimeSource time;
  private final long client = ThreadLocalRandom.current().nextLong();
  private final List<String> services = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final LongAdder warmedUp = new LongAdder();
  private final LongAdder failures = new LongAdder();

  @GuardedBy("this")
  private @Nullable CallChannel channel;

  @GuardedBy("this")
  private long sequence;

  /**
   * The warm-up calls of the replica that is reached there.
   *
   * @param answered how many calls it has answered, besides warm-up calls
   */
  public WarmUps(Middleware middleware, Endpoint self, LongSupplier answered, TimeSource time) {
    this.middleware = middleware;
    this.self = self;
    this.answered = answered;
    this.time = time;
  }

  /** Whether a request is of this replica's own, which may use its database. */
  public boolean isOwn(RequestIdentity identity) {
    return identity.client() == client;
  }

  /** Warms up a service that was just exported for a bounded time, and then now and again. */
  public void begin(String service) {
    long end = time.elapsedNanos() + EXPORT_BUDGET_NANOS;
    boolean well = true;
    for (int i = 0; well && i < CALLS_AT_EXPORT && time.elapsedNanos() < end; i++) {
      well = warmUp(service);
    }
    services.add(service);
    if (services.size() == 1) {
      Thread.ofVirtual().name("terrace-warm-up").start(this::keepWarm);
    }
  }

  /** While clients call, the replica needs no warm-up. */
  private void keepWarm() {
    try {
      long before = answered.getAsLong();
      while (!closed.await(PERIOD.toNanos(), TimeUnit.NANOSECONDS)) {
        long now = answered.getAsLong();
        if (now == before) {
          services.forEach(this::warmUp);
        }
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it went well; if not, the replica is merely colder, and the next one tries again. */
  private synchronized boolean warmUp(String service) {
    if (closed.getCount() == 0) {
      return false;
    }
    try {
      CallChannel open = channel;
      if (open == null || !open.isOpen()) {
        open = middleware.connect(self, TIMEOUT);
        channel = open;
      }
      RequestIdentity identity = new RequestIdentity(client, ++sequence);
      CallRequest request =
          CallRequest.control(CallRequest.Kind.WARM_UP, service, identity, TIMEOUT.toNanos());
      CallReply reply = open.call(request, TIMEOUT);
      if (reply.status() == CallReply.Status.RESULT) {
        warmedUp.increment();
        return true;
      }
    } catch (IOException | CallFailedException | RuntimeException | Error e) {
      closeChannel();
    }
    failures.increment();
    return false;
  }

  /** The number of warm-up calls that went well. */
  public long done() {
    return warmedUp.sum();
  }

  /** The number of warm-up calls that failed. */
  public long failures() {
    return failures.sum();
  }

  private synchronized void closeChannel() {
    CallChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    closeChannel();
  }
}
