package org.terrace.capture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sends numbered datagrams over loopback, from one address to another, each one packet. */
final class UdpTraffic implements AutoCloseable {
  private final DatagramChannel sender;
  private final DatagramChannel receiver;

  private UdpTraffic(DatagramChannel sender, DatagramChannel receiver) {
    this.sender = sender;
    this.receiver = receiver;
  }

  static UdpTraffic between(String from, String to) throws IOException {
    StandardProtocolFamily family =
        from.contains(":") ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    DatagramChannel receiver = DatagramChannel.open(family);
    receiver.bind(new InetSocketAddress(InetAddress.ofLiteral(to), 0));
    DatagramChannel sender = DatagramChannel.open(family);
    sender.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
    sender.connect(receiver.getLocalAddress());
    return new UdpTraffic(sender, receiver);
  }

  /** The port datagrams go to. */
  int port() {
    try {
      return ((InetSocketAddress) receiver.getLocalAddress()).getPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends so many datagrams of so many bytes; the first four number them from 0. */
  void send(int count, int bytes) throws IOException {
    ByteBuffer datagram = ByteBuffer.allocateDirect(bytes);
    for (int i = 0; i < count; i++) {
      datagram.clear().putInt(0, i);
      sender.write(datagram);
    }
  }

  /** The number in a captured datagram of IPv4. */
  static int number(byte[] packet) {
    return ByteBuffer.wrap(packet).getInt(14 + 20 + 8);
  }

  @Override
  public void close() throws IOException {
    sender.close();
    receiver.close();
  }
}
