package org.terrace.invocation.client;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.terrace.core.TimeSource;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Middleware;

/**
 * A client's ways to all replicas it knows, and the background work of keeping them warm.
 * Thread-safe.
 */
final class ReplicaLinks {
  private static final long CHECK_INTERVAL_MILLIS = 100;
  private static final Duration CHECK_TIMEOUT = Duration.ofMillis(500);
  private static final int CHECKS_PER_REFRESH = 10;
  private static final long KNOWN_INTERVAL_MILLIS = 1_000;

  private final ClientOptions options;
  private final LongSupplier client;
  private final TimeSource time;
  private final Runnable refresh;
  private final Map<Endpoint, ReplicaLink> links = new ConcurrentHashMap<>();
  private final Map<ReplicaLink, AtomicBoolean> checking = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean failureTold;

  /** The links; {@code refresh} is run in the background to refresh the references. */
  ReplicaLinks(ClientOptions options, LongSupplier client, TimeSource time, Runnable refresh) {
    this.options = options;
    this.client = client;
    this.time = time;
    this.refresh = refresh;
  }

  /** Begins the background work: connections are kept warm, or the client at least known. */
  void start() {
    Thread.ofVirtual()
        .name("terrace-keeper")
        .start(options.failOver().warmConnections() ? this::keep : this::keepKnown);
  }

  ReplicaLink get(Endpoint endpoint) {
    ReplicaLink known = links.get(endpoint);
    return known != null ? known : links.computeIfAbsent(endpoint, this::create);
  }

  private ReplicaLink create(Endpoint endpoint) {
    Middleware middleware = options.middlewareOf(endpoint.middleware());
    return new ReplicaLink(endpoint, middleware, client, time);
  }

  /** Closes the links that no reference names any more. */
  void retain(Set<Endpoint> named) {
    links
        .values()
        .removeIf(link -> {
          boolean remove = !named.contains(link.endpoint());
          if (remove) {
            checking.remove(link);
            link.close();
          }
          return remove;
        });
  }

  /** Connects to a replica in the background, without a call that waits for it. */
  void warm(Endpoint endpoint) {
    checkSoon(get(endpoint));
  }

  /** Calls a replica in the background without effect, if it is connected and not suspected. */
  void warmUp(Endpoint endpoint, String service) {
    ReplicaLink link = get(endpoint);
    if (link.current() != null && !link.isSuspect()) {
      Thread.ofVirtual().name("terrace-warm-up").start(() -> link.warmUp(service, CHECK_TIMEOUT));
    }
  }

  private void keep() {
    try {
      for (long round = 0; ; round++) {
        boolean refreshes = round % CHECKS_PER_REFRESH == 0;
        endure(() -> {
          if (refreshes) {
            refresh.run();
          }
          links.values().forEach(this::checkSoon);
        });
        if (closed.await(CHECK_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs what is done again soon, whatever it throws, of which the first is told. */
  private void endure(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      if (!failureTold) {
        failureTold = true;
        System.err.println("a client's background work failed, and goes on:");
        e.printStackTrace();
      }
    }
  }

  /** Lets the replicas that are connected anyway renew the client's lease. */
  private void keepKnown() {
    try {
      while (!closed.await(KNOWN_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
        endure(() -> {
          for (ReplicaLink link : links.values()) {
            if (link.current() != null) {
              Thread.ofVirtual().name("terrace-lease").start(() -> link.keepKnown(CHECK_TIMEOUT));
            }
          }
        });
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Checks on a thread of its own, so that one that hangs does not keep the others waiting. */
  private void checkSoon(ReplicaLink link) {
    AtomicBoolean busy = checking.computeIfAbsent(link, each -> new AtomicBoolean());
    if (busy.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("terrace-check")
          .start(() -> {
            try {
              link.check(CHECK_TIMEOUT);
            } finally {
              busy.set(false);
            }
          });
    }
  }

  void close() {
    closed.countDown();
    links.values().forEach(ReplicaLink::close);
  }
}
