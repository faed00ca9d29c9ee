package org.terrace.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server answers under its own names, and under no name that could be pointed at it. */
class TrustedHostsTest {
  private static TrustedHosts at(String name, int... address) throws UnknownHostException {
    byte[] bytes = new byte[address.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) address[i];
    }
    return new TrustedHosts(new InetSocketAddress(InetAddress.getByAddress(name, bytes), 80));
  }

  @Test
  void onLoopbackOnlyLoopbackIsKnown() throws UnknownHostException {
    TrustedHosts hosts = at("127.0.0.1", 127, 0, 0, 1);

    for (String name : List.of("localhost", "127.0.0.1:1", "127.9.9.9", "[::1]:80", "LocalHost")) {
      assertThat(hosts.trusts(Optional.of(name))).as(name).isTrue();
    }
    for (String name :
        List.of(
            "",
            "evil.example",
            "127.0.0.1.evil",
            "10.0.0.1",
            "[::2]",
            "localhost.",
            "a@localhost")) {
      assertThat(hosts.trusts(Optional.of(name))).as(name).isFalse();
    }
    assertThat(hosts.trusts(Optional.empty())).isFalse();
  }

  /** As on Debian, where a machine's own name is 127.0.1.1. */
  @Test
  void theGivenNameIsKnownOnLoopbackToo() throws UnknownHostException {
    TrustedHosts hosts = at("Lab.example.org", 127, 0, 1, 1);

    for (String name : List.of("lab.example.org", "Lab.example.org:7411", "127.0.1.1:7411")) {
      assertThat(hosts.trusts(Optional.of(name))).as(name).isTrue();
    }
    for (String name : List.of("evil.example", "lab.example.org.evil", "192.0.2.7")) {
      assertThat(hosts.trusts(Optional.of(name))).as(name).isFalse();
    }
  }

  @Test
  void beyondItTheGivenNameAndAddressesInFiguresAreKnown() throws UnknownHostException {
    TrustedHosts hosts = at("lab.example.org", 192, 0, 2, 7);

    for (String name :
        List.of("lab.example.org", "LAB.example.org:443", "192.0.2.7", "[2001:db8::1]:7411")) {
      assertThat(hosts.trusts(Optional.of(name))).as(name).isTrue();
    }
    for (String name : List.of("evil.example", "lab.example.org.evil", "1.2.3.4.5", "0x7f.1")) {
      assertThat(hosts.trusts(Optional.of(name))).as(name).isFalse();
    }
  }

  @Test
  void anOriginIsOwnOnlyUnderTheNameThatWasAsked() {
    Optional<String> host = Optional.of("localhost:7411");

    assertThat(TrustedHosts.isOwn(Optional.empty(), host)).isTrue();
    assertThat(TrustedHosts.isOwn(Optional.of("http://localhost:7411"), host)).isTrue();
    assertThat(TrustedHosts.isOwn(Optional.of("https://localhost:7411"), host)).isTrue();
    for (String origin :
        List.of("null", "http://localhost", "http://localhost:7411.evil", "http://evil")) {
      assertThat(TrustedHosts.isOwn(Optional.of(origin), host)).as(origin).isFalse();
    }
  }
}
