package org.terrace.nodes.monitor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A TCP socket that listens, as the kernel tells of it (sock_diag(7)). Immutable.
 *
 * @param inode its number, which no other socket has while it is there
 * @param address the address it listens at, or the wildcard
 * @param queued the connections that are established and that nobody has accepted
 * @param limit the length of that queue from which on it is full: it takes one more
 * @param dropped the segments of opening connections that the socket turned away since it listens,
 *     modulo 2^32; a connection sends more of them until it is taken
 */
record ListeningSocket(
    long inode, InetAddress address, int port, long queued, long limit, long dropped) {
  private static final int HEADER_BYTES = 16;
  private static final int ALIGNMENT = 4;
  private static final int TYPE_AT = 4;

  /** Types of messages: an error, the end of a list, and a socket. */
  private static final int ERROR = 2;

  private static final int DONE = 3;
  private static final int SOCKET = 20;

  /** Places in {@code struct inet_diag_msg}, behind the message's header. */
  private static final int FAMILY_AT = 0;

  private static final int STATE_AT = 1;
  private static final int PORT_AT = 4;
  private static final int ADDRESS_AT = 8;
  private static final int QUEUED_AT = 56;
  private static final int LIMIT_AT = 60;
  private static final int INODE_AT = 68;
  private static final int ATTRIBUTES_AT = 72;

  private static final int FAMILY_IPV4 = 2;
  private static final int STATE_LISTENING = 10;
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  /** The attribute with the socket's memory, whose ninth number counts what was dropped. */
  private static final int MEMORY = 7;

  private static final int DROPPED_AT = 32;

  /** The end of a list of sockets, or that it goes on, or that the kernel refused it. */
  enum End {
    /** More messages follow. */
    OPEN,
    /** The list is at its end. */
    WHOLE,
    /** The kernel does not tell. */
    REFUSED
  }

  /**
   * Adds the listening sockets of some messages of the kernel.
   *
   * @param bytes whole messages, as one call received them
   */
  static End read(byte[] bytes, List<ListeningSocket> sockets) {
    ByteBuffer messages = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    int at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      int length = messages.getInt(at);
      if (length < HEADER_BYTES || length > bytes.length - at) {
        return End.REFUSED;
      }
      switch (Short.toUnsignedInt(messages.getShort(at + TYPE_AT))) {
        case DONE -> {
          return End.WHOLE;
        }
        case ERROR -> {
          return End.REFUSED;
        }
        case SOCKET -> addSocket(messages.slice(at + HEADER_BYTES, length - HEADER_BYTES), sockets);
        default -> {
          // A message of another kind tells of no socket.
        }
      }
      at += aligned(length);
    }
    return End.OPEN;
  }

  private static void addSocket(ByteBuffer slice, List<ListeningSocket> sockets) {
    ByteBuffer socket = slice.order(ByteOrder.nativeOrder());
    if (socket.limit() < ATTRIBUTES_AT || socket.get(STATE_AT) != STATE_LISTENING) {
      return;
    }
    byte[] address = new byte[socket.get(FAMILY_AT) == FAMILY_IPV4 ? IPV4_BYTES : IPV6_BYTES];
    socket.get(ADDRESS_AT, address);
    try {
      sockets.add(
          new ListeningSocket(
              Integer.toUnsignedLong(socket.getInt(INODE_AT)),
              InetAddress.getByAddress(address),
              // Ports are in the order of the network.
              ((socket.get(PORT_AT) & 0xFF) << 8) | (socket.get(PORT_AT + 1) & 0xFF),
              Integer.toUnsignedLong(socket.getInt(QUEUED_AT)),
              Integer.toUnsignedLong(socket.getInt(LIMIT_AT)),
              dropped(socket)));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // of 4 and 16 bytes there is none
    }
  }

  private static long dropped(ByteBuffer socket) {
    int at = ATTRIBUTES_AT;
    while (at + ALIGNMENT <= socket.limit()) {
      int length = Short.toUnsignedInt(socket.getShort(at));
      int type = Short.toUnsignedInt(socket.getShort(at + 2));
      if (length < ALIGNMENT || length > socket.limit() - at) {
        return 0;
      }
      if (type == MEMORY && length >= ALIGNMENT + DROPPED_AT + Integer.BYTES) {
        return Integer.toUnsignedLong(socket.getInt(at + ALIGNMENT + DROPPED_AT));
      }
      at += aligned(length);
    }
    return 0;
  }

  private static int aligned(int length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** The share of the queue in use, 1 when it is full. */
  double share() {
    return (double) queued / (limit + 1);
  }
}
