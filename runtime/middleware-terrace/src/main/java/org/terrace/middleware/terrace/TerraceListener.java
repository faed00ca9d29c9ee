package org.terrace.middleware.terrace;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;

/** The server's end: one thread a connection, which reads a call, runs it and writes its reply. */
final class TerraceListener implements Listener {
  private static final int BACKLOG = 1_024;

  private final ServerSocket door;
  private final CallHandler handler;
  private final TransportOptions options;
  private final TransportCounters counters;
  private final Map<Long, ServedConnection> connections = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile boolean closed;

  private TerraceListener(
      ServerSocket door,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters) {
    this.door = door;
    this.handler = handler;
    this.options = options;
    this.counters = counters;
  }

  static TerraceListener open(
      InetSocketAddress address,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters)
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
    TerraceListener listener = new TerraceListener(door, handler, options, counters);
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
      } catch (IOException e) {
        if (door.isClosed()) {
          return;
        }
        counters.connectionsRefused.increment();
      }
    }
  }

  private void admit(Socket socket) throws IOException {
    if (connections.size() >= options.connectionsMax()) {
      counters.connectionsRefused.increment();
      socket.close();
      return;
    }
    long id = ids.incrementAndGet();
    ServedConnection connection =
        new ServedConnection(id, socket, handler, options, counters, connections);
    connections.put(id, connection);
    connection.start();
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
