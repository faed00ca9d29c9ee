package org.terrace.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real-processes")
class OpenConnectionsTest {
  @Test
  void aConnectionOfAProcessWithItselfIsNone() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.15.7.1"));
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      String place = "127.15.7.1:" + server.getLocalPort();

      assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
      assertThat(OpenConnections.of(List.of(ProcessHandle.current().pid())))
          .noneMatch(each -> each.toString().contains(place));
    }
  }
}
