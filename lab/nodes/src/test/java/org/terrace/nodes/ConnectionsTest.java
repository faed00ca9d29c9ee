package org.terrace.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real-processes")
class ConnectionsTest {
  @Test
  void aConnectionOfAProcessWithItselfIsNone() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.15.7.1"));
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      String place = "127.15.7.1:" + server.getLocalPort();

      assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
      assertThat(Connections.of(List.of(ProcessHandle.current().pid())))
          .noneMatch(each -> each.toString().contains(place));
    }
  }

  @Test
  void addressesAreReadWordByWord() {
    assertThat(SocketOwner.address("0100007F:1F90").getHostAddress()).isEqualTo("127.0.0.1");
    assertThat(SocketOwner.address("0000000000000000FFFF00000102007F:1F90").getHostAddress())
        .isEqualTo("127.0.2.1");
    assertThat(SocketOwner.address("00000000000000000000000001000000:1F90"))
        .isEqualTo(InetAddress.ofLiteral("::1"));
    assertThat(SocketOwner.port("0100007F:1F90")).isEqualTo(8_080);
  }
}
