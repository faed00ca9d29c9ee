package org.terrace.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;

/**
 * A way to a server on which all that the server says arrives later by a fixed time, as from one
 * that is farther away or slower at everything. Thread-safe.
 */
public final class DelayingRelay implements AutoCloseable {
  private static final int PIECE_BYTES = 16_384;
  private static final int PIECES_UNDER_WAY = 256;
  private static final int BACKLOG = 100;

  private record Piece(byte[] bytes, long dueNanos) {}

  private final ServerSocket listener;
  private final int port;
  private final long delayNanos;
  private final TimeSource clock = TimeSource.system();
  private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();

  private DelayingRelay(ServerSocket listener, int port, Duration delay) {
    this.listener = listener;
    this.port = port;
    this.delayNanos = delay.toNanos();
  }

  /** A relay to a server's host and port, which must be of this host. */
  public static DelayingRelay to(String place, Duration delay) throws IOException {
    ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    int port = Integer.parseInt(place.substring(place.lastIndexOf(':') + 1));
    DelayingRelay relay = new DelayingRelay(listener, port, delay);
    Thread.startVirtualThread(relay::accept);
    return relay;
  }

  /** The host and port at which it listens. */
  public String place() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        BlockingQueue<Piece> late = new ArrayBlockingQueue<>(PIECES_UNDER_WAY);
        Thread.startVirtualThread(() -> pass(client, server));
        Thread.startVirtualThread(() -> read(server, late));
        Thread.startVirtualThread(() -> write(late, client, server));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // The connection has ended.
    }
  }

  private void read(Socket server, BlockingQueue<Piece> late) {
    byte[] buffer = new byte[PIECE_BYTES];
    try {
      InputStream input = server.getInputStream();
      for (int count = input.read(buffer); count > 0; count = input.read(buffer)) {
        late.put(new Piece(Arrays.copyOf(buffer, count), clock.elapsedNanos() + delayNanos));
      }
    } catch (IOException e) {
      // The connection has ended: that, too, arrives later.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      late.put(new Piece(new byte[0], clock.elapsedNanos() + delayNanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(BlockingQueue<Piece> late, Socket client, Socket server) {
    try (client;
        server) {
      OutputStream output = client.getOutputStream();
      for (Piece piece = late.take(); piece.bytes().length > 0; piece = late.take()) {
        long left = piece.dueNanos() - clock.elapsedNanos();
        if (left > 0) {
          TimeUnit.NANOSECONDS.sleep(left);
        }
        output.write(piece.bytes());
      }
    } catch (IOException e) {
      // The connection has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Closeable one : open) {
      one.close();
    }
  }
}
