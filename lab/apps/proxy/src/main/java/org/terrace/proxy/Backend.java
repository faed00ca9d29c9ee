package org.terrace.proxy;

import io.undertow.client.UndertowClient;
import io.undertow.server.handlers.proxy.ConnectionPoolManager;
import io.undertow.server.handlers.proxy.ProxyConnectionPool;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.xnio.OptionMap;

/** A server behind the proxy: its pool of connections, its health and its load. Thread-safe. */
final class Backend {
  private static final int MAXIMUM_CONNECTIONS_PER_THREAD = 1_024;
  private static final int KEPT_CONNECTIONS_PER_THREAD = 256;
  private static final long KEPT_MILLIS = 60_000;
  private static final int MAXIMUM_QUEUE = 4_096;

  private final String name;
  private final InetSocketAddress address;
  private final ProxyConnectionPool pool;
  private final AtomicBoolean healthy = new AtomicBoolean(true);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong responses = new AtomicLong();

  Backend(String name, InetSocketAddress address, InetSocketAddress source) {
    this.name = name;
    this.address = address;
    URI uri = URI.create("http://" + address.getHostString() + ":" + address.getPort());
    this.pool =
        new ProxyConnectionPool(
            new PoolLimits(), source, uri, UndertowClient.getInstance(), OptionMap.EMPTY);
  }

  String name() {
    return name;
  }

  InetSocketAddress address() {
    return address;
  }

  ProxyConnectionPool pool() {
    return pool;
  }

  boolean isHealthy() {
    return healthy.get();
  }

  /** Sets the health; whether that changed it. */
  boolean setHealthy(boolean now) {
    return healthy.compareAndSet(!now, now);
  }

  int inFlight() {
    return inFlight.get();
  }

  void began() {
    inFlight.incrementAndGet();
  }

  /**
   * @param answered whether the backend gave a good response
   */
  void ended(boolean answered) {
    inFlight.decrementAndGet();
    if (answered) {
      responses.incrementAndGet();
    }
  }

  /** The number of good responses that it has given through this proxy. */
  long responses() {
    return responses.get();
  }

  /**
   * The bounds of the pool. Health is decided by the proxy, not by the pool: it is always
   * available, and its errors count as dealt with.
   */
  private static final class PoolLimits implements ConnectionPoolManager {
    @Override
    public int getProblemServerRetry() {
      return 1;
    }

    @Override
    public boolean isAvailable() {
      return true;
    }

    @Override
    public boolean handleError() {
      return true;
    }

    @Override
    public boolean clearError() {
      return true;
    }

    @Override
    public int getMaxConnections() {
      return MAXIMUM_CONNECTIONS_PER_THREAD;
    }

    @Override
    public int getMaxCachedConnections() {
      return KEPT_CONNECTIONS_PER_THREAD;
    }

    @Override
    public int getSMaxConnections() {
      return KEPT_CONNECTIONS_PER_THREAD;
    }

    @Override
    public long getTtl() {
      return KEPT_MILLIS;
    }

    @Override
    public int getMaxQueueSize() {
      return MAXIMUM_QUEUE;
    }
  }
}
