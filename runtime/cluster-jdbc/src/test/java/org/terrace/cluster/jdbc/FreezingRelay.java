package org.terrace.cluster.jdbc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A way to a server that can fall silent: whoever is connected then, or connects until it thaws,
 * keeps a connection that never says anything again.
 */
final class FreezingRelay implements AutoCloseable {
  private final ServerSocket listener;
  private final String host;
  private final int port;
  private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
  private boolean frozen;
  private int freezes;
  private String marker = "";
  private boolean keeps;
  private @Nullable Kept kept;
  private String silencing = "";

  /** A request that its server has not received. */
  private record Kept(Socket server, byte[] request) {}

  private FreezingRelay(ServerSocket listener, String host, int port) {
    this.listener = listener;
    this.host = host;
    this.port = port;
  }

  /** A relay on a free port to a server's host and port. */
  static FreezingRelay to(String place) throws IOException {
    int colon = place.lastIndexOf(':');
    ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    FreezingRelay relay =
        new FreezingRelay(
            listener, place.substring(0, colon), Integer.parseInt(place.substring(colon + 1)));
    Thread.startVirtualThread(relay::accept);
    return relay;
  }

  String place() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  /** Falls silent. */
  synchronized void freeze() {
    frozen = true;
    freezes++;
  }

  /** Falls silent as soon as a client sends this. */
  synchronized void freezeAt(String text) {
    marker = text;
  }

  /** The same, and keeps the request, which a server receives late. */
  synchronized void keepAt(String text) {
    freezeAt(text);
    keeps = true;
  }

  /** Lets the one connection fall silent over which a client sends this next. */
  synchronized void silenceAt(String text) {
    silencing = text;
  }

  /** Whether a connection was to fall silent and has not yet. */
  synchronized boolean isToSilence() {
    return !silencing.isEmpty();
  }

  /** Delivers the request that was kept; says whether its server answers, and does not hang up. */
  boolean deliverKept() throws IOException {
    Kept late;
    synchronized (this) {
      late = Objects.requireNonNull(kept);
    }
    try {
      late.server.getOutputStream().write(late.request);
      return late.server.getInputStream().read() >= 0;
    } catch (SocketException e) {
      return false;
    }
  }

  synchronized boolean isFrozen() {
    return frozen;
  }

  /** Serves who connects from now on. */
  synchronized void thaw() {
    frozen = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        open.add(client);
        int born = born();
        if (born >= 0) {
          Socket server = new Socket(host, port);
          open.add(server);
          AtomicBoolean silent = new AtomicBoolean();
          Thread.startVirtualThread(() -> pump(client, server, born, true, silent));
          Thread.startVirtualThread(() -> pump(server, client, born, false, silent));
        }
      }
    } catch (IOException e) {
      // It is closed, or the server is gone.
    }
  }

  /** The number of freezes before this connection; negative: it is silent from the start. */
  private synchronized int born() {
    return frozen ? -1 : freezes;
  }

  private void pump(Socket from, Socket to, int born, boolean isRequest, AtomicBoolean silent) {
    byte[] bytes = new byte[8192];
    try {
      for (int n = from.getInputStream().read(bytes);
          n >= 0;
          n = from.getInputStream().read(bytes)) {
        if (isRequest) {
          byte[] request = Arrays.copyOf(bytes, n);
          freezeAtMarker(request, to);
          silenceAtMarker(request, silent);
        }
        if (born() != born || silent.get()) {
          return;
        }
        to.getOutputStream().write(bytes, 0, n);
      }
      to.close();
    } catch (IOException e) {
      // One side is gone; the other learns it by its own pump.
    }
  }

  private synchronized void freezeAtMarker(byte[] request, Socket server) {
    if (!marker.isEmpty() && new String(request, StandardCharsets.ISO_8859_1).contains(marker)) {
      marker = "";
      if (keeps) {
        kept = new Kept(server, request);
      }
      freeze();
    }
  }

  private synchronized void silenceAtMarker(byte[] request, AtomicBoolean silent) {
    if (isToSilence() && new String(request, StandardCharsets.ISO_8859_1).contains(silencing)) {
      silencing = "";
      silent.set(true);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Closeable each : open) {
      each.close();
    }
  }
}
