package org.terrace.groups.builtin;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLServerSocket;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;

/**
 * Sending and receiving messages too large for a datagram, over one connection to each member.
 * Thread-safe; sending only queues, and a full queue drops.
 */
final class Connections implements AutoCloseable {
  private static final int QUEUE_LENGTH = 64;
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
  private static final int INCOMING_MAX = 256;
  private static final int BACKLOG = 128;
  private static final int STREAM_BUFFER_BYTES = 64 << 10;

  private record Outgoing(InetSocketAddress to, BlockingQueue<byte[]> queue) {}

  private final GroupOptions options;
  private final Traffic traffic;
  private final ServerSocket server;
  private final Map<InetSocketAddress, Outgoing> outgoing = new ConcurrentHashMap<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Semaphore incoming = new Semaphore(INCOMING_MAX);
  private final AtomicLong sent = new AtomicLong();
  private volatile boolean closed;

  Connections(GroupOptions options, Traffic traffic) throws IOException {
    this.options = options;
    this.traffic = traffic;
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
    Authenticator sealer = new Authenticator(options.secret());
    ByteBuffer frame = ByteBuffer.allocate(Frame.BYTES + payload.remaining() + sealer.sealBytes());
    new Frame(channel, group, sender, receiver, sent.incrementAndGet()).encode(frame);
    frame.put(payload.duplicate());
    sealer.seal(frame);
    Outgoing peer = outgoing.computeIfAbsent(to, this::connect);
    if (closed || !peer.queue.offer(frame.array())) {
      traffic.undelivered.increment();
    }
  }

  /** Forgets the connections to all but these. */
  void retain(Set<InetSocketAddress> members) {
    outgoing.values().removeIf(peer -> !members.contains(peer.to) && peer.queue.offer(new byte[0]));
  }

  private Outgoing connect(InetSocketAddress to) {
    Outgoing peer = new Outgoing(to, new ArrayBlockingQueue<>(QUEUE_LENGTH));
    Thread.ofVirtual().name("group-" + options.member() + "-to-" + to).start(() -> write(peer));
    return peer;
  }

  /** Writes what is queued until an empty frame says to end, connecting anew after a failure. */
  private void write(Outgoing peer) {
    byte[] frame = take(peer);
    while (frame.length > 0 && !closed) {
      try (Socket socket = newSocket()) {
        open.add(socket);
        socket.setTcpNoDelay(true);
        socket.bind(new InetSocketAddress(options.address(), 0));
        socket.connect(peer.to, CONNECT_TIMEOUT_MILLIS);
        DataOutputStream out =
            new DataOutputStream(
                new BufferedOutputStream(socket.getOutputStream(), STREAM_BUFFER_BYTES));
        while (frame.length > 0 && !closed) {
          out.writeInt(frame.length);
          out.write(frame);
          traffic.bytesSent.add(frame.length);
          if (peer.queue.isEmpty()) {
            out.flush();
          }
          frame = take(peer);
        }
        open.remove(socket);
      } catch (IOException e) {
        traffic.undelivered.increment();
        frame = take(peer);
      }
    }
  }

  private byte[] take(Outgoing peer) {
    try {
      return peer.queue.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new byte[0];
    }
  }

  private Socket newSocket() throws IOException {
    return options.tls().isPresent()
        ? options.tls().get().getSocketFactory().createSocket()
        : new Socket();
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
    outgoing.values().forEach(peer -> peer.queue.clear());
    retain(Set.of());
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      traffic.undelivered.increment();
    }
  }
}
