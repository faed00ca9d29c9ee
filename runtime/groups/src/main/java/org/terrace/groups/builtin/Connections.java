package org.terrace.groups.builtin;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;

/**
 * Sending and receiving messages too large for a datagram, over one connection to each member,
 * which is kept open for its end to be noticed ({@link Link}). Thread-safe; sending only queues,
 * and a full queue drops.
 */
final class Connections implements AutoCloseable {
  private static final int INCOMING_MAX = 256;
  private static final int BACKLOG = 128;
  private static final long CLOSE_MILLIS_MAX = 1_000;

  /** The byte that the accepting end of a connection sends before it ends it in order. */
  private static final int GOODBYE = 1;

  private static final int STREAM_BUFFER_BYTES = 64 << 10;

  private final GroupOptions options;
  private final Traffic traffic;
  private final Link.Watcher watcher;
  private final ServerSocket server;
  private final Map<InetSocketAddress, Link> links = new ConcurrentHashMap<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Semaphore incoming = new Semaphore(INCOMING_MAX);
  private final ReentrantLock sealing = new ReentrantLock();
  private final Authenticator sealer;
  private long sent;
  private @Nullable Thread acceptor;
  private volatile boolean closed;

  Connections(GroupOptions options, Traffic traffic, Link.Watcher watcher) throws IOException {
    this.options = options;
    this.watcher = watcher;
    this.traffic = traffic;
    this.sealer = new Authenticator(options.keys());
    if (options.tls().isPresent()) {
      SSLServerSocket secure =
          (SSLServerSocket) options.tls().get().getServerSocketFactory().createServerSocket();
      secure.setNeedClientAuth(true);
      server = secure;
    } else {
      server = new ServerSocket();
    }
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(options.address(), options.port()), BACKLOG);
  }

  int port() {
    return server.getLocalPort();
  }

  void start(Inbox inbox) {
    acceptor =
        Thread.ofPlatform()
            .daemon()
            .name("group-" + options.member() + "-connections")
            .start(() -> acceptAll(inbox));
  }

  void send(
      int channel,
      long group,
      long sender,
      long receiver,
      InetSocketAddress to,
      ByteBuffer payload) {
    ByteBuffer frame = ByteBuffer.allocate(Frame.BYTES + payload.remaining() + sealer.sealBytes());
    sealing.lock();
    try {
      new Frame(channel, group, sender, receiver, ++sent).encode(frame);
      frame.put(payload.duplicate());
      sealer.seal(frame);
    } finally {
      sealing.unlock();
    }
    if (closed || !link(to).send(frame.array())) {
      traffic.undelivered.increment();
    }
  }

  /** Keeps connections to these alone, open even when there is nothing to send. */
  void keep(Set<InetSocketAddress> members) {
    links
        .values()
        .removeIf(link -> {
          boolean gone = !members.contains(link.to());
          if (gone) {
            link.close();
          }
          return gone;
        });
    if (!closed) {
      members.forEach(this::link);
    }
  }

  private Link link(InetSocketAddress to) {
    return links.computeIfAbsent(
        to,
        absent -> {
          Link link = new Link(options, traffic, to, watcher);
          link.start();
          return link;
        });
  }

  private void acceptAll(Inbox inbox) {
    while (!closed) {
      try {
        Socket socket = server.accept();
        if (incoming.tryAcquire()) {
          open.add(socket);
          Thread.ofVirtual()
              .name("group-" + options.member() + "-from-" + socket.getRemoteSocketAddress())
              .start(() -> read(socket, inbox));
        } else {
          socket.close();
        }
      } catch (IOException e) {
        if (!closed) {
          traffic.undelivered.increment();
        }
      }
    }
  }

  private void read(Socket socket, Inbox inbox) {
    Authenticator authenticator = inbox.newAuthenticator();
    InetSocketAddress source = (InetSocketAddress) socket.getRemoteSocketAddress();
    try (socket) {
      DataInputStream in =
          new DataInputStream(
              new BufferedInputStream(socket.getInputStream(), STREAM_BUFFER_BYTES));
      while (!closed) {
        int length = in.readInt();
        if (length < 0 || length > Group.MESSAGE_BYTES_MAX + STREAM_BUFFER_BYTES) {
          traffic.oversized.increment();
          return;
        }
        byte[] frame = in.readNBytes(length);
        if (frame.length < length) {
          return;
        }
        inbox.take(ByteBuffer.wrap(frame), authenticator, source);
      }
    } catch (IOException e) {
      // The other end has gone, which membership notices.
      traffic.undelivered.add(0);
    } finally {
      open.remove(socket);
      incoming.release();
    }
  }

  @Override
  public void close() {
    closed = true;
    keep(Set.of());
    try {
      server.close();
    } catch (IOException e) {
      traffic.undelivered.increment();
    }
    open.forEach(this::sayGoodbye);
    awaitAcceptor();
  }

  /** The port is free once the thread that accepts has let go of it. */
  private void awaitAcceptor() {
    Thread accepting = acceptor;
    try {
      if (accepting != null) {
        accepting.join(CLOSE_MILLIS_MAX);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sayGoodbye(Socket socket) {
    try (socket) {
      if (options.tls().isEmpty()) {
        socket.getOutputStream().write(GOODBYE);
      }
    } catch (IOException e) {
      traffic.undelivered.add(0); // the other end has gone before
    }
  }
}
