package org.terrace.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class SocketOwnerTest {
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
