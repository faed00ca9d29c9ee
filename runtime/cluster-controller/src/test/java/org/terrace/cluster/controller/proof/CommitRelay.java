package org.terrace.cluster.controller.proof;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A way to a server that can cut a connection inside COMMIT: before the server gets it, or when the
 * server has answered and before the answer arrives. Thread-safe.
 */
final class CommitRelay implements AutoCloseable {
  /** The place inside COMMIT at which a connection is cut. */
  enum Cut {
    NOWHERE,
    BEFORE_THE_SERVER,
    BEFORE_THE_ANSWER
  }

  private static final int CHUNK_BYTES = 8_192;
  private static final String COMMIT = "COMMIT";

  private final ServerSocket listener;
  private final String host;
  private final int port;
  private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
  private Cut next = Cut.NOWHERE;

  private CommitRelay(ServerSocket listener, String host, int port) {
    this.listener = listener;
    this.host = host;
    this.port = port;
  }

  /** A relay on a free port to a server's host and port. */
  static CommitRelay to(String place) throws IOException {
    int colon = place.lastIndexOf(':');
    CommitRelay relay =
        new CommitRelay(
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
            place.substring(0, colon),
            Integer.parseInt(place.substring(colon + 1)));
    Thread.startVirtualThread(relay::accept);
    return relay;
  }

  String place() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  /** Cuts the connection that is the next to commit. */
  synchronized void cutNext(Cut cut) {
    next = cut;
  }

  /** Whether that has been done. */
  synchronized boolean hasCut() {
    return next == Cut.NOWHERE;
  }

  private synchronized Cut take() {
    Cut taken = next;
    next = Cut.NOWHERE;
    return taken;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        // A server that is stopped and not dead lets nobody wait for this but who asked for it.
        Thread.startVirtualThread(() -> connect(client));
      } catch (IOException e) {
        // It is closed.
      }
    }
  }

  private void connect(Socket client) {
    try {
      Socket server = new Socket(host, port);
      open.add(server);
      AtomicBoolean mute = new AtomicBoolean();
      Thread.startVirtualThread(() -> answers(server, client, mute));
      requests(client, server, mute);
    } catch (IOException e) {
      close(client);
    }
  }

  private void requests(Socket client, Socket server, AtomicBoolean mute) {
    CommitRequests commits = new CommitRequests();
    byte[] bytes = new byte[CHUNK_BYTES];
    try (client;
        server) {
      for (int n = client.getInputStream().read(bytes);
          n >= 0;
          n = client.getInputStream().read(bytes)) {
        Cut cut =
            commits.isIn(new String(bytes, 0, n, StandardCharsets.ISO_8859_1))
                ? take()
                : Cut.NOWHERE;
        if (cut == Cut.BEFORE_THE_SERVER) {
          return;
        }
        mute.compareAndSet(false, cut == Cut.BEFORE_THE_ANSWER);
        server.getOutputStream().write(bytes, 0, n);
      }
    } catch (IOException e) {
      // Either end is gone, and so is the other.
    }
  }

  private static void answers(Socket server, Socket client, AtomicBoolean mute) {
    byte[] bytes = new byte[CHUNK_BYTES];
    try (client;
        server) {
      for (int n = server.getInputStream().read(bytes);
          n >= 0 && !mute.get();
          n = server.getInputStream().read(bytes)) {
        client.getOutputStream().write(bytes, 0, n);
      }
    } catch (IOException e) {
      // Either end is gone, and so is the other.
    }
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(CommitRelay::close);
  }

  /** The requests of one connection, as its driver sends them, of which some are COMMIT. */
  private static final class CommitRequests {
    /** The prepared statement of PostgreSQL that is COMMIT, with the ends of texts around it. */
    private String prepared = "";

    boolean isIn(String chunk) {
      int text = chunk.indexOf(COMMIT + "\0");
      if (text > 0 && chunk.charAt(text - 1) == 0) {
        int name = text - 1;
        while (name > 0 && isOfName(chunk.charAt(name - 1))) {
          name--;
        }
        if (name < text - 1) {
          prepared = "\0" + chunk.substring(name, text - 1) + "\0";
        }
      }
      // MariaDB's is the text behind the number of the command, to the end of the packet.
      return text >= 0
          || chunk.endsWith("\3" + COMMIT)
          || (!prepared.isEmpty() && chunk.contains(prepared));
    }

    private static boolean isOfName(char character) {
      return Character.isLetterOrDigit(character) || character == '_';
    }
  }
}
