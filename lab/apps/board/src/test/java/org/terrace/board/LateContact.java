package org.terrace.board;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.terrace.core.TimeSource;

/**
 * An address of a group's member at which connections are accepted at once and datagrams reach the
 * member after a while only, as at a member whose machine is busy.
 */
final class LateContact implements AutoCloseable {
  private static final int DATAGRAM_BYTES_MAX = 65_536;

  private final TimeSource time = TimeSource.system();
  private final long passFromNanos;
  private final InetSocketAddress member;
  private final ServerSocket connections;
  private final DatagramSocket datagrams;
  private final Thread passing;

  LateContact(String address, InetSocketAddress member, Duration silent) {
    this.member = member;
    this.passFromNanos = time.elapsedNanos() + silent.toNanos();
    try {
      InetAddress here = InetAddress.getByName(address);
      connections = new ServerSocket(0, 50, here);
      datagrams = new DatagramSocket(new InetSocketAddress(here, connections.getLocalPort()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    passing = Thread.ofVirtual().start(this::pass);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(connections.getInetAddress(), connections.getLocalPort());
  }

  private void pass() {
    DatagramPacket packet = new DatagramPacket(new byte[DATAGRAM_BYTES_MAX], DATAGRAM_BYTES_MAX);
    try {
      while (true) {
        packet.setLength(DATAGRAM_BYTES_MAX);
        datagrams.receive(packet);
        if (time.elapsedNanos() >= passFromNanos) {
          packet.setSocketAddress(member);
          datagrams.send(packet);
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  @Override
  public void close() {
    try {
      connections.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    datagrams.close();
    passing.interrupt();
  }
}
