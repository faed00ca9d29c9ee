package org.terrace.middleware.terrace;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;

/** The server's end: one thread a connection, which reads a call, runs it and writes its reply. */
final class TerraceListener implements Listener {
  private static final int BACKLOG = 1_024;

  /** A pause after an accept that failed, so that a lasting failure does not take a processor. */
  private static final long RECOVERY_NANOS = 10_000_000L;

  private final ServerSocket door;
  private final CallHandler handler;
  private final TransportOptions options;
  private final TransportCounters counters;
  private final Map<Long, ServedConnection> connections = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final Places places;
  private volatile boolean closed;

  /** The maker of the threads that run connections: see {@link #open}. */
  private final ThreadFactory threads;

  private TerraceListener(
      ServerSocket door,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters,
      ThreadFactory threads) {
    this.threads = threads;
    this.door = door;
    this.handler = handler;
    this.options = options;
    this.counters = counters;
    places = new Places(options.connectionsMax());
  }

  /**
   * A listener whose connections have a platform thread each: a virtual one is woken through the
   * poller of the runtime, which costs a hand-over at each call.
   */
  static TerraceListener open(
      InetSocketAddress address,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters)
      throws IOException {
    return open(
        address,
        handler,
        options,
        counters,
        Thread.ofPlatform().name("terrace-call-", 1).daemon().factory());
  }

  static TerraceListener open(
      InetSocketAddress address,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters,
      ThreadFactory threads)
      throws IOException {
    ServerSocket door =
        options.tls().isPresent()
            ? options.tls().get().getServerSocketFactory().createServerSocket()
            : new ServerSocket();
    try {
      door.setReuseAddress(true);
      door.bind(address, BACKLOG);
    } catch (IOException e) {
      door.close();
      throw new IOException("cannot listen at " + address + ": " + e.getMessage(), e);
    }
    TerraceListener listener = new TerraceListener(door, handler, options, counters, threads);
    Thread.ofPlatform().name("terrace-accept").daemon().start(listener::accept);
    return listener;
  }

  @Override
  public Endpoint endpoint(String replica) {
    InetAddress address = door.getInetAddress();
    return new Endpoint(
        replica, TerraceMiddleware.NAME, address.getHostAddress(), door.getLocalPort(), "");
  }

  private void accept() {
    while (!closed) {
      try {
        admit(door.accept());
      } catch (IOException | RuntimeException | Error e) {
        // Without memory, threads or descriptors this connection is lost, and the next one may not
        // be: the door stays open.
        if (door.isClosed()) {
          return;
        }
        counters.connectionsRefused.increment();
        LockSupport.parkNanos(RECOVERY_NANOS);
      }
    }
  }

  private void admit(Socket socket) throws IOException {
    if (connections.size() >= places.connectionsMax()) {
      counters.connectionsRefused.increment();
      socket.close();
      return;
    }
    long id = ids.incrementAndGet();
    ServedConnection connection =
        new ServedConnection(id, socket, handler, options, counters, connections, places);
    connections.put(id, connection);
    try {
      threads.newThread(connection::serve).start();
    } catch (Throwable e) {
      connections.remove(id);
      connection.close();
      throw e;
    }
    if (closed) {
      connection.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      door.close();
    } catch (IOException alreadyGone) {
      // A door that fails to close is closed.
    }
    connections.values().forEach(ServedConnection::close);
  }
}
