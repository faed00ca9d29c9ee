package org.terrace.control.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.ControlSecret;

/** The other end of a link, by a name or an address of either kind. */
@Tag("real-processes")
@Tag("untimed")
class LinkTargetTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ControlSecret NONE = ControlSecret.none();

  private final List<String> journal = new ArrayList<>();

  private LinkTarget target(InetSocketAddress address) {
    return new LinkTarget("naming process", address, NONE, journal::add);
  }

  private static void echo(Socket socket) throws IOException {
    try (Link link = Link.accept(socket, NONE)) {
      link.send(link.receive());
      link.receive();
    }
  }

  private void assertReaches(InetSocketAddress address) throws IOException {
    try (Link link = target(address).connect(PATIENCE)) {
      link.send(new byte[] {42});
      assertThat(link.receive()).containsExactly(42);
    }
  }

  @Test
  void aNameWithoutAnAddressIsToldOfOnce() {
    LinkTarget target = target(InetSocketAddress.createUnresolved("no-such-host.invalid", 7_400));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> target.connect(PATIENCE)).isInstanceOf(UnknownHostException.class);
    }
    assertThat(journal)
        .singleElement()
        .asString()
        .startsWith("naming process no-such-host.invalid:7400: ")
        .contains("has no address now");
  }

  @Test
  void aNameThatMeansAnotherAddressThanBeforeIsFollowed() throws IOException {
    InetAddress before = InetAddress.getByAddress("localhost", new byte[] {127, 63, 7, 8});
    try (LinkServer server =
        LinkServer.open(
            InetSocketAddress.createUnresolved("localhost", 0), NONE, LinkTargetTest::echo)) {
      assertReaches(new InetSocketAddress(before, server.address().getPort()));
    }
  }

  @Test
  void anIpv6AddressIsReached() throws IOException {
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.ofLiteral("::1"), 0);
    try (LinkServer server = LinkServer.open(loopback, NONE, LinkTargetTest::echo)) {
      assertReaches(server.address());
    }
  }

  @Test
  void theSystemFindsOutThatAQuietHostIsGone() throws Exception {
    LinkedBlockingQueue<Integer> idleSeconds = new LinkedBlockingQueue<>();
    try (LinkServer server =
            LinkServer.open(
                new InetSocketAddress("127.63.7.4", 0),
                NONE,
                socket -> {
                  try (Link link = Link.accept(socket, NONE)) {
                    assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
                    idleSeconds.add(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
                    link.receive();
                  }
                });
        Link link = target(server.address()).connect(PATIENCE)) {
      assertThat(idleSeconds.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isEqualTo(Link.KEEP_ALIVE_IDLE_SECONDS);
      assertThat(link.isOpen()).isTrue();
    }
  }
}
