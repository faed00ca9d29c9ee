package org.terrace.hosts.network;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The address that this machine has towards another. Stateless. */
public final class OwnAddress {
  private OwnAddress() {}

  /**
   * The address of this machine from which a server is reached; nothing is sent.
   *
   * @param server the server's name, for the message
   * @throws TerraceException if there is no way to it
   */
  public static String towards(String address, int port, String server) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port));
      return socket.getLocalAddress().getHostAddress();
    } catch (SocketException | IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "there is no way from here to %s, the address of the host of %s: %s"
              .formatted(address, server, e.getMessage()),
          e);
    }
  }
}
