package org.terrace.cluster.controller;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.MalformedDataException;

/**
 * A server that lends the sessions of one data source to applications: each connection is one
 * session with its transaction, which is rolled back when the connection ends. Thread-safe.
 */
public final class ControllerServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ControllerServer.class.getName());

  /** No more connections are served at once; whoever comes then is told so. */
  private static final int CONNECTIONS_MAX = 1_000;

  private static final int WAITING_MAX = 200;

  private final ServerSocket listener;
  private final DataSource source;
  private final String database;
  private final String secret;
  private final Set<Socket> served = ConcurrentHashMap.newKeySet();

  private ControllerServer(
      ServerSocket listener, DataSource source, String database, String secret) {
    this.listener = listener;
    this.source = source;
    this.database = database;
    this.secret = secret;
  }

  /**
   * Starts to listen.
   *
   * @param database the name by which applications ask for the database
   * @param secret what applications have to know; empty: nothing, on loopback alone
   */
  public static ControllerServer start(
      DataSource source, String database, String address, int port, String secret) {
    try {
      InetAddress host = InetAddress.getByName(address);
      if (secret.isEmpty() && !host.isLoopbackAddress()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "A controller at %s needs a secret, as others than this machine's programs reach it: give one, or listen on loopback."
                .formatted(address));
      }
      ServerSocket listener = new ServerSocket();
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(host, port), WAITING_MAX);
      ControllerServer server = new ControllerServer(listener, source, database, secret);
      Thread.ofPlatform().name("terrace-controller").daemon().start(server::accept);
      return server;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "The controller cannot listen at %s port %d (%s): choose another address or port."
              .formatted(address, port, e.getMessage()),
          e);
    }
  }

  /** The port at which it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        if (served.size() >= CONNECTIONS_MAX) {
          LOG.log(Level.WARNING, "A connection beyond {0} is refused.", CONNECTIONS_MAX);
          socket.close();
          continue;
        }
        served.add(socket);
        Thread.ofVirtual().name("terrace-controller-session").start(() -> serve(socket));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          LOG.log(Level.WARNING, "A connection could not be accepted: {0}", e.getMessage());
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      new ControllerSession(socket, source, database, secret).serve();
    } catch (IOException | SQLException | MalformedDataException e) {
      LOG.log(Level.DEBUG, "A connection ended: {0}", e.getMessage());
    } finally {
      served.remove(socket);
    }
  }

  /** Ends all connections; the data source stays open. */
  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : served) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "While closing: {0}", e.getMessage());
    }
  }
}
