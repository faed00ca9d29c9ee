package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.testing.Await;

/**
 * Built-in groups of a test: members at any port of one loopback address, each knowing the earlier.
 */
final class BuiltInGroups {
  static final InetAddress ADDRESS = InetAddress.ofLiteral("127.18.0.1");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<InetSocketAddress> addresses = new ArrayList<>();

  GroupOptions options(String member) {
    return GroupOptions.of("test", member, Discovery.of(addresses)).withAddress(ADDRESS, 0);
  }

  Group open(GroupOptions options) {
    Group group = Groups.open(options);
    addresses.add(group.self().address());
    return group;
  }

  static void await(String what, BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).as(what).isTrue();
  }

  /** A multicast address that no other test uses, at a free port. */
  static InetSocketAddress freshMulticast() {
    try (var socket = new DatagramSocket(0, ADDRESS)) {
      InetAddress group = InetAddress.getByAddress(new byte[] {(byte) 239, 18, 0, 1});
      return new InetSocketAddress(group, socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
