package org.terrace.groups.builtin;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.GroupOptions;

/**
 * The connection from this process to one other, open as long as both are members: large messages
 * go by it, and its end tells of the other's death, unless the other said goodbye. When it ends it
 * is made anew at once; where the other's machine refuses, nobody listens there any more.
 * Thread-safe.
 */
final class Link {
  /** A listener that is told of the end and the refusal of connections. */
  interface Watcher {
    /** The connection to the address has ended, whyever. */
    void ended(InetSocketAddress address);

    /** The machine at the address answered that nobody listens there. */
    void refused(InetSocketAddress address);
  }

  private static final int QUEUE_LENGTH = 64;
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
  private static final int STREAM_BUFFER_BYTES = 64 << 10;
  private static final int SECOND_TRY_MILLIS = 20;
  private static final int LATER_TRY_MILLIS = 1_000;

  /** Wakes the writer, which then sees why. */
  private static final byte[] WAKE = new byte[0];

  private final GroupOptions options;
  private final Traffic traffic;
  private final InetSocketAddress to;
  private final Watcher watcher;
  private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(QUEUE_LENGTH);
  private volatile boolean closed;
  private volatile boolean heardGoodbye;
  private volatile @Nullable Socket socket;

  Link(GroupOptions options, Traffic traffic, InetSocketAddress to, Watcher watcher) {
    this.options = options;
    this.traffic = traffic;
    this.to = to;
    this.watcher = watcher;
  }

  InetSocketAddress to() {
    return to;
  }

  void start() {
    Thread.ofVirtual().name("group-" + options.member() + "-to-" + to).start(this::run);
  }

  /** Queues a frame; says whether there was room. */
  boolean send(byte[] frame) {
    return !closed && queue.offer(frame);
  }

  void close() {
    closed = true;
    queue.clear();
    wake();
    shut(socket);
  }

  private void wake() {
    boolean _ = queue.offer(WAKE); // a full queue wakes the writer as well
  }

  private void shut(@Nullable Socket present) {
    if (present != null) {
      try {
        present.close();
      } catch (IOException e) {
        traffic.undelivered.increment();
      }
    }
  }

  private void run() {
    int failures = 0;
    byte @Nullable [] first = null;
    while (!closed) {
      try (Socket opened = newSocket()) {
        opened.setTcpNoDelay(true);
        opened.bind(new InetSocketAddress(options.address(), 0));
        opened.connect(to, CONNECT_TIMEOUT_MILLIS);
        failures = 0;
        heardGoodbye = false;
        socket = opened;
        Thread.ofVirtual()
            .name("group-" + options.member() + "-watches-" + to)
            .start(() -> awaitEnd(opened));
        write(opened, first);
        first = null;
      } catch (ConnectException e) {
        failures++;
        if (!heardGoodbye) {
          watcher.refused(to);
        }
      } catch (IOException e) {
        failures++;
      }
      if (failures > 0) {
        if (first != null && first.length > 0) {
          traffic.undelivered.increment();
        }
        first = poll(failures == 1 ? SECOND_TRY_MILLIS : LATER_TRY_MILLIS);
      }
    }
    socket = null;
  }

  /** Writes what is queued until the connection ends or is to end. */
  private void write(Socket opened, byte @Nullable [] first) throws IOException {
    DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(opened.getOutputStream(), STREAM_BUFFER_BYTES));
    byte @Nullable [] frame = first;
    while (!closed && !opened.isClosed()) {
      if (frame != null && frame.length > 0) {
        out.writeInt(frame.length);
        out.write(frame);
        traffic.bytesSent.add(frame.length);
      }
      if (queue.isEmpty()) {
        out.flush();
      }
      frame = poll(LATER_TRY_MILLIS);
    }
    if (frame != null && frame.length > 0) {
      traffic.undelivered.increment();
    }
  }

  /** The other end sends nothing until it says goodbye; then comes the end. */
  private void awaitEnd(Socket opened) {
    try {
      while (opened.getInputStream().read() >= 0) {
        heardGoodbye = true;
      }
      heardGoodbye |= options.tls().isPresent(); // an end in order: any other is an error there
    } catch (IOException e) {
      traffic.undelivered.add(0); // a reset is an end as well
    }
    if (!closed) {
      if (!heardGoodbye) {
        watcher.ended(to);
      }
      shut(opened);
      wake();
    }
  }

  private byte @Nullable [] poll(int millis) {
    try {
      return queue.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
      return null;
    }
  }

  private Socket newSocket() throws IOException {
    return options.tls().isPresent()
        ? options.tls().get().getSocketFactory().createSocket()
        : new Socket();
  }
}
