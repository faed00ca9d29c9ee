package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Discovery;

/** The contacts of a group, by names that have no address, others than before, or several. */
class ContactLookupTest {
  private static final int PORT = 7_400;

  private static List<InetSocketAddress> find(InetSocketAddress... contacts) {
    return new ContactLookup(Discovery.of(List.of(contacts))).find();
  }

  private static InetSocketAddress literal(String address) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), PORT);
  }

  @Test
  void aNameThatMeansAnotherAddressThanBeforeIsFollowed() throws UnknownHostException {
    InetAddress before = InetAddress.getByAddress("localhost", new byte[] {127, 63, 7, 8});

    assertThat(find(new InetSocketAddress(before, PORT)))
        .contains(literal("127.0.0.1"), literal("127.63.7.8"));
  }

  @Test
  void literalsAreThemselvesAndANameWithoutAnAddressHoldsUpNobody() {
    assertThat(
            find(
                literal("127.0.0.1"),
                InetSocketAddress.createUnresolved("no-such-host.invalid", PORT),
                literal("::1")))
        .containsExactly(literal("127.0.0.1"), literal("::1"));
  }

  @Test
  void aDiscoveryByNameFindsAllItsAddresses() {
    assertThat(new ContactLookup(Discovery.dns("localhost", PORT)).find())
        .contains(literal("127.0.0.1"));
    assertThat(new ContactLookup(Discovery.dns("no-such-host.invalid", PORT)).find()).isEmpty();
  }
}
