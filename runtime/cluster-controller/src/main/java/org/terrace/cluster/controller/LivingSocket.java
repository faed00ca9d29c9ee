package org.terrace.cluster.controller;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/**
 * A socket whose other end is known to be there: the system asks a silent one, so that a machine
 * that is gone without a word ends the connection within a minute. Stateless.
 */
final class LivingSocket {
  private static final Map<SocketOption<Integer>, Integer> PROBES =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 20,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 10,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

  private LivingSocket() {}

  static void prepare(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    for (Map.Entry<SocketOption<Integer>, Integer> probe : PROBES.entrySet()) {
      if (socket.supportedOptions().contains(probe.getKey())) {
        socket.setOption(probe.getKey(), probe.getValue());
      }
    }
  }
}
