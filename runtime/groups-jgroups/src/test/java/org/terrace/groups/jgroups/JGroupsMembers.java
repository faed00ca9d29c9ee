package org.terrace.groups.jgroups;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.terrace.groups.Group;
import org.terrace.testing.Await;

/**
 * Groups of a test over TCP: members at any port of one loopback address, each knowing the earlier.
 */
final class JGroupsMembers {
  static final InetAddress ADDRESS = InetAddress.ofLiteral("127.28.0.1");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<InetSocketAddress> addresses = new ArrayList<>();

  JGroupsGroup open(String member) {
    return open(member, Group.PROTOCOL_VERSION);
  }

  /** A member that speaks no later version of the protocol. */
  JGroupsGroup open(String member, int protocolVersionMax) {
    JGroupsStack stack = JGroupsStack.unicast(freeAddress(), addresses);
    JGroupsOptions options = JGroupsOptions.of("test", member, stack);
    JGroupsGroup group = JGroupsGroup.open(options.withProtocolVersionMax(protocolVersionMax));
    addresses.add(group.self().address());
    return group;
  }

  static void awaitSize(List<? extends Group> groups, int size) {
    await(
        size + " members",
        () -> groups.stream().allMatch(group -> group.view().members().size() == size));
  }

  static void await(String what, BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).as(what).isTrue();
  }

  /** An address at which nobody listens now. */
  static InetSocketAddress freeAddress() {
    try (var socket = new ServerSocket(0, 1, ADDRESS)) {
      return new InetSocketAddress(ADDRESS, socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A multicast address that no other test uses, at a free port. */
  static InetSocketAddress freshMulticast() {
    try (var socket = new DatagramSocket(0, ADDRESS)) {
      return new InetSocketAddress(InetAddress.ofLiteral("239.28.0.1"), socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
