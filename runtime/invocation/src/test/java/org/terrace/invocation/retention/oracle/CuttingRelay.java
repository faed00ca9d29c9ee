package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A relay between replicas and their database that, when told to, cuts the next connection on which
 * a reply is retained and committed: before the database has been asked, or when it has done so and
 * nobody has been told. Thread-safe.
 */
final class CuttingRelay implements AutoCloseable {
  private static final String[] COMMITS = {"SELECT terrace_retain(", "CALL terrace_retain_once("};
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int CONNECT_MILLIS = 1_000;

  /** The place where a connection is cut. */
  enum Cut {
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  private final ServerSocket door;
  private final InetSocketAddress database;
  private final AtomicReference<@Nullable Cut> next = new AtomicReference<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** A relay on a free port of the loopback, for a database there. */
  CuttingRelay(InetSocketAddress database) throws IOException {
    this.database = database;
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("relay").start(this::accept);
  }

  /** The address at which it listens, {@code host:port}. */
  String address() {
    return door.getInetAddress().getHostAddress() + ":" + door.getLocalPort();
  }

  /** Has the next commit cut. */
  void cut(Cut where) {
    next.set(where);
  }

  /** Whether no cut is outstanding. */
  boolean hasCut() {
    return next.get() == null;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        Thread.ofVirtual().name("relayed").start(() -> relay(client));
      }
    } catch (IOException closed) {
      assert door.isClosed() : closed;
    }
  }

  private void relay(Socket client) {
    try (client;
        Socket server = new Socket()) {
      open.add(client);
      server.connect(database, CONNECT_MILLIS);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      Pair pair = new Pair(client, server);
      Thread.ofVirtual().name("answers").start(pair::answers);
      pair.questions();
    } catch (IOException oneEndIsGone) {
      open.remove(client);
    } finally {
      open.remove(client);
    }
  }

  /** One connection through the relay. */
  private final class Pair {
    private final Socket client;
    private final Socket server;
    private volatile boolean committed;

    Pair(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void questions() throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = client.getInputStream().read(buffer);
          read > 0;
          read = client.getInputStream().read(buffer)) {
        Cut cut = commits(buffer, read) ? next.getAndSet(null) : null;
        if (cut == Cut.BEFORE_COMMIT) {
          return;
        }
        committed |= cut == Cut.AFTER_COMMIT;
        server.getOutputStream().write(buffer, 0, read);
      }
    }

    /** Passes answers on, but for the one after which the connection is cut. */
    void answers() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try (client;
          server) {
        for (int read = server.getInputStream().read(buffer);
            read > 0 && !committed;
            read = server.getInputStream().read(buffer)) {
          client.getOutputStream().write(buffer, 0, read);
        }
      } catch (IOException oneEndIsGone) {
        committed = false;
      }
    }
  }

  private static boolean commits(byte[] bytes, int length) {
    String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    for (String each : COMMITS) {
      if (text.contains(each)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    closeQuietly(door);
    open.forEach(CuttingRelay::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception alreadyGone) {
      assert !(alreadyGone instanceof InterruptedException);
    }
  }
}
