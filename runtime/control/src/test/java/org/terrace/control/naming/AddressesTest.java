package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.testing.Seeds;

/** The addresses that users write: names, which are not looked up, and literals of both kinds. */
class AddressesTest {
  private static final int TEXTS = 20_000;
  private static final String CHARACTERS = "ab.-:[]%0123456789 ";

  @Test
  void aNameStaysAName() {
    InetSocketAddress address = Addresses.parseOne("--naming", "localhost:7400");

    assertThat(address.isUnresolved()).isTrue();
    assertThat(address.getHostString()).isEqualTo("localhost");
    assertThat(Addresses.format(address)).isEqualTo("localhost:7400");
  }

  @Test
  void literalsOfBothKindsAreReadAndWritten() {
    assertThat(Addresses.parse("--naming", "127.0.0.1:7400, [::1]:7401"))
        .containsExactly(
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7400),
            new InetSocketAddress(InetAddress.ofLiteral("::1"), 7401));
    assertThat(Addresses.format(new InetSocketAddress(InetAddress.ofLiteral("::1"), 7401)))
        .isEqualTo("[0:0:0:0:0:0:0:1]:7401");
  }

  @Test
  void anIpv6AddressWithoutBracketsIsRefused() {
    for (String text : List.of("::1:7400", "fe80::1", "[::1]", "[naming]:7400", "a:65536", ":1")) {
      assertThatThrownBy(() -> Addresses.parseOne("--naming", text))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("--naming has '" + text + "'")
          .hasMessageContaining("[::1]:7400");
    }
  }

  @Test
  void anyTextIsReadOrRefusedAndWhatIsReadIsReadAgain() {
    RandomGenerator random = Seeds.generator(Seeds.next("texts"));
    for (int i = 0; i < TEXTS; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
      }
      try {
        InetSocketAddress read = Addresses.parseOne("f", text.toString());
        assertThat(Addresses.parseOne("f", Addresses.format(read))).isEqualTo(read);
      } catch (TerraceException e) {
        assertThat(e.getMessage()).contains("f has '" + text + "'");
      }
    }
  }
}
