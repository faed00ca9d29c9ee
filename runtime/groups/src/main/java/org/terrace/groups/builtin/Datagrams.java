package org.terrace.groups.builtin;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.GroupOptions;

/**
 * Sending and receiving datagrams, one to one and by multicast. Thread-safe.
 *
 * <p>Each socket has a thread that does nothing but receive, so a datagram costs one wake-up; with
 * busy polling it costs none.
 */
final class Datagrams implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Datagrams.class.getName());
  private static final int SOCKET_BUFFER_BYTES = 4 << 20;
  private static final int RECEIVE_BYTES = 64 << 10;

  private final GroupOptions options;
  private final Traffic traffic;
  private final DatagramChannel unicast;
  private final Optional<DatagramChannel> multicast;
  private final ReentrantLock sending = new ReentrantLock();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(RECEIVE_BYTES);
  private final Authenticator sealer;
  private @Nullable MembershipKey multicastMembership;
  private boolean deafToOwnAddress;
  private final List<Thread> threads = new ArrayList<>();
  private long sent;
  private volatile boolean closed;

  Datagrams(GroupOptions options, int port, Traffic traffic) throws IOException {
    this.options = options;
    this.traffic = traffic;
    this.sealer = new Authenticator(options.keys());
    this.unicast = DatagramChannel.open(familyOf(options.address()));
    unicast.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
    unicast.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
    unicast.bind(new InetSocketAddress(options.address(), port));
    this.multicast = openMulticast();
  }

  private static StandardProtocolFamily familyOf(InetAddress address) {
    return address instanceof Inet4Address
        ? StandardProtocolFamily.INET
        : StandardProtocolFamily.INET6;
  }

  /** The multicast socket, or none where it cannot be had, which is logged as an error. */
  private Optional<DatagramChannel> openMulticast() throws IOException {
    if (options.multicast().isEmpty()) {
      return Optional.empty();
    }
    NetworkInterface network = NetworkInterface.getByInetAddress(options.address());
    if (network == null) {
      // Any address of 127/8 may be used, and one of them alone is the interface's own.
      network = NetworkInterface.getByName("lo");
    }
    DatagramChannel channel =
        DatagramChannel.open(familyOf(options.multicast().get().getAddress()));
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
      channel.bind(options.multicast().get());
      multicastMembership = channel.join(options.multicast().get().getAddress(), network);
      unicast.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
      unicast.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true);
      return Optional.of(channel);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      channel.close();
      LOG.log(
          Level.ERROR,
          "The group goes on without multicast: {0} cannot be joined at {1} ({2}). Whoever is found by it alone is not found.",
          options.multicast().get(),
          options.address().getHostAddress(),
          e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Makes the system drop or deliver multicasts from this member's own address, which its own are:
   * each that is delivered wakes a thread that throws it away. Others at the same address are not
   * heard then. To be called by one thread at a time.
   */
  void setDeafToOwnAddress(boolean deaf) {
    MembershipKey membership = multicastMembership;
    if (membership == null || deaf == deafToOwnAddress || options.address().isAnyLocalAddress()) {
      return;
    }
    deafToOwnAddress = deaf;
    try {
      if (deaf) {
        membership.block(options.address());
      } else {
        membership.unblock(options.address());
      }
    } catch (IOException | UnsupportedOperationException e) {
      deafToOwnAddress = false; // it costs time, no more
    }
  }

  boolean hasMulticast() {
    return multicast.isPresent();
  }

  /** Starts receiving. */
  void start(Inbox inbox) {
    listen(unicast, "datagrams", inbox);
    multicast.ifPresent(channel -> listen(channel, "multicast", inbox));
  }

  void send(
      int channel,
      long group,
      long sender,
      long receiver,
      InetSocketAddress to,
      ByteBuffer payload) {
    sending.lock();
    try {
      buffer.clear();
      new Frame(channel, group, sender, receiver, ++sent).encode(buffer);
      buffer.put(payload.duplicate());
      sealer.seal(buffer);
      buffer.flip();
      int size = buffer.remaining();
      if (unicast.send(buffer, to) == size) {
        traffic.bytesSent.add(size);
      } else {
        traffic.undelivered.increment();
      }
    } catch (IOException | UnresolvedAddressException | UnsupportedAddressTypeException e) {
      traffic.undelivered.increment(); // an address is what others say, and need not be one
    } finally {
      sending.unlock();
    }
  }

  private void listen(DatagramChannel channel, String name, Inbox inbox) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("group-" + options.member() + "-" + name)
            .start(() -> receiveAll(channel, inbox));
    threads.add(thread);
  }

  private void receiveAll(DatagramChannel channel, Inbox inbox) {
    ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    Authenticator authenticator = inbox.newAuthenticator();
    try {
      channel.configureBlocking(!options.busyPoll());
    } catch (IOException e) {
      return;
    }
    while (!closed) {
      try {
        received.clear();
        InetSocketAddress source = (InetSocketAddress) channel.receive(received);
        if (source == null) {
          Thread.onSpinWait();
          continue;
        }
        received.flip();
        if (received.remaining()
            > options.datagramBytesMax() + Frame.BYTES + authenticator.sealBytes()) {
          traffic.oversized.increment();
        } else {
          inbox.take(received, authenticator, source);
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        traffic.undelivered.increment();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      unicast.close();
      if (multicast.isPresent()) {
        multicast.get().close();
      }
    } catch (IOException e) {
      traffic.undelivered.increment();
    }
    for (Thread thread : threads) {
      boolean interrupted = false;
      try {
        thread.join(1_000);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
