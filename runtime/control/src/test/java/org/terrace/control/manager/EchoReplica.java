package org.terrace.control.manager;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.naming.Addresses;
import org.terrace.middleware.Endpoint;

/** A replica that tells whoever connects who it is, its process and its role. */
public final class EchoReplica {
  private EchoReplica() {}

  /** Arguments: name, address, managers. */
  public static void main(String[] arguments) throws IOException {
    String name = arguments[0];
    InetSocketAddress address = Addresses.parseOne("address", arguments[1]);
    AtomicReference<ServiceReference> reference =
        new AtomicReference<>(
            new ServiceReference("echo", Style.WARM_PASSIVE, 0, 0, java.util.List.of()));
    try (ServerSocket server = new ServerSocket()) {
      server.bind(address);
      Endpoint endpoint =
          new Endpoint(name, "terrace", address.getHostString(), server.getLocalPort(), "");
      ReplicaAgent.open(
          "echo",
          endpoint,
          Addresses.parse("managers", arguments[2]),
          ControlSecret.none(),
          () -> true,
          () -> 0,
          new ReplicaAgent.Listener() {
            @Override
            public void assigned(ServiceReference newer) {
              reference.set(newer);
            }

            @Override
            public void drain() {}
          });
      while (true) {
        try (Socket socket = server.accept();
            PrintStream out =
                new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
          ServiceReference now = reference.get();
          boolean primary =
              !now.endpoints().isEmpty() && now.endpoints().getFirst().replica().equals(name);
          out.println(
              name
                  + " "
                  + ProcessHandle.current().pid()
                  + " "
                  + now.epoch()
                  + " "
                  + (primary ? "primary" : "backup"));
        }
      }
    }
  }
}
