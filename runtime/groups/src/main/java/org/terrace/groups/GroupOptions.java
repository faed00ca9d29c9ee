package org.terrace.groups;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.terrace.core.TimeSource;

/**
 * The settings of the built-in group: addresses, discovery and security. Immutable.
 *
 * @param group name of the group; members of another group are strangers
 * @param member name of this process, unique in the group
 * @param address where it listens, loopback unless told otherwise
 * @param port for datagrams and connections, 0 for any
 * @param multicast address and port of the group's multicast, if it may use it
 * @param discovery where others may be found
 * @param keys authenticate, or encrypt as well, every datagram and frame; without them those carry
 *     a checksum only, which is for networks one trusts
 * @param tls encrypts connections and has both sides show certificates, beside keys that encrypt;
 *     without such keys a group is not opened, for most of its data goes by datagrams
 * @param expectedMembers how many processes the group is meant to have, this one included, 1 or
 *     more; empty if that is not known
 * @param membership how members watch each other
 * @param datagramBytesMax largest datagram, {@value #DATAGRAM_BYTES_LEAST} to {@value
 *     #DATAGRAM_BYTES_MOST} bytes; below the network's packet size it is never fragmented
 * @param busyPoll whether two threads poll for datagrams instead of sleeping: less delay for two
 *     processors
 * @param protocol the versions of the protocol that it understands and speaks
 * @param random picks partners and jitter
 * @param time the clocks
 */
public record GroupOptions(
    String group,
    String member,
    InetAddress address,
    int port,
    Optional<InetSocketAddress> multicast,
    Discovery discovery,
    Optional<GroupKeys> keys,
    Optional<SSLContext> tls,
    OptionalInt expectedMembers,
    MembershipOptions membership,
    int datagramBytesMax,
    boolean busyPoll,
    ProtocolVersions protocol,
    RandomGenerator random,
    TimeSource time) {
  /** Shortest key. */
  public static final int SECRET_BYTES_MIN = 16;

  /** Lower bound of {@code datagramBytesMax}. */
  public static final int DATAGRAM_BYTES_LEAST = 512;

  /** Upper bound of {@code datagramBytesMax}. */
  public static final int DATAGRAM_BYTES_MOST = 60_000;

  private static final int PORT_MAX = 65_535;

  /** Checks the ranges. */
  public GroupOptions {
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a group has a name");
    }
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("a port is 0 to " + PORT_MAX + ", got " + port);
    }
    if (expectedMembers.orElse(1) < 1) {
      throw new IllegalArgumentException(
          "expectedMembers is 1 or more, got " + expectedMembers.getAsInt());
    }
    if (datagramBytesMax < DATAGRAM_BYTES_LEAST || datagramBytesMax > DATAGRAM_BYTES_MOST) {
      throw new IllegalArgumentException(
          "datagramBytesMax is "
              + DATAGRAM_BYTES_LEAST
              + " to "
              + DATAGRAM_BYTES_MOST
              + ", got "
              + datagramBytesMax);
    }
    if (multicast.isPresent() && !multicast.get().getAddress().isMulticastAddress()) {
      throw new IllegalArgumentException(multicast.get() + " is not a multicast address");
    }
  }

  /**
   * A member on loopback at any port, by unicast alone, with datagrams of up to 8 KB, that speaks
   * the protocol as {@link ProtocolVersions#ofThisProcess} says.
   */
  public static GroupOptions of(String group, String member, Discovery discovery) {
    return new GroupOptions(
        group,
        member,
        InetAddress.getLoopbackAddress(),
        0,
        Optional.empty(),
        discovery,
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        MembershipOptions.defaults(),
        8 << 10,
        false,
        ProtocolVersions.ofThisProcess(),
        RandomGenerator.getDefault(),
        TimeSource.system());
  }

  /** The same at another address. */
  public GroupOptions withAddress(InetAddress newAddress, int newPort) {
    return new GroupOptions(
        group,
        member,
        newAddress,
        newPort,
        multicast,
        discovery,
        keys,
        tls,
        expectedMembers,
        membership,
        datagramBytesMax,
        busyPoll,
        protocol,
        random,
        time);
  }

  /** The same with multicast. */
  public GroupOptions withMulticast(InetSocketAddress newMulticast) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        Optional.of(newMulticast),
        discovery,
        keys,
        tls,
        expectedMembers,
        membership,
        datagramBytesMax,
        busyPoll,
        protocol,
        random,
        time);
  }

  /** The same with a key that authenticates all that is sent, in the clear. */
  public GroupOptions withSecret(Secret newSecret) {
    return withKeys(GroupKeys.authenticating(newSecret));
  }

  /** The same with keys that authenticate, or encrypt as well, all that is sent. */
  public GroupOptions withKeys(GroupKeys newKeys) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        multicast,
        discovery,
        Optional.of(newKeys),
        tls,
        expectedMembers,
        membership,
        datagramBytesMax,
        busyPoll,
        protocol,
        random,
        time);
  }

  /** The same with connections by TLS, for which {@code keys} that encrypt are needed, too. */
  public GroupOptions withTls(SSLContext newTls) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        multicast,
        discovery,
        keys,
        Optional.of(newTls),
        expectedMembers,
        membership,
        datagramBytesMax,
        busyPoll,
        protocol,
        random,
        time);
  }

  /**
   * The same in a group that is meant to have so many processes, this one included: it knows from
   * its start on when it sees fewer, says so ({@link View#isBelowExpected}, {@link
   * View#isMinority}), and an update that more members are to hold than it sees is refused at once,
   * unless it only removes. All members are to be told the same number.
   */
  public GroupOptions withExpectedMembers(int newExpectedMembers) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        multicast,
        discovery,
        keys,
        tls,
        OptionalInt.of(newExpectedMembers),
        membership,
        datagramBytesMax,
        busyPoll,
        protocol,
        random,
        time);
  }

  /** The same with other ways of watching each other. */
  public GroupOptions withMembership(MembershipOptions newMembership) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        multicast,
        discovery,
        keys,
        tls,
        expectedMembers,
        newMembership,
        datagramBytesMax,
        busyPoll,
        protocol,
        random,
        time);
  }

  /** The same, polling for datagrams or not. */
  public GroupOptions withBusyPoll(boolean newBusyPoll) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        multicast,
        discovery,
        keys,
        tls,
        expectedMembers,
        membership,
        datagramBytesMax,
        newBusyPoll,
        protocol,
        random,
        time);
  }

  /**
   * The same, speaking no later version of the protocol, and saying that it understands none: as a
   * build that ends with that version.
   */
  public GroupOptions withProtocolVersionMax(int most) {
    return withProtocol(protocol.upTo(most));
  }

  /** The same with other versions of the protocol. */
  public GroupOptions withProtocol(ProtocolVersions newProtocol) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        multicast,
        discovery,
        keys,
        tls,
        expectedMembers,
        membership,
        datagramBytesMax,
        busyPoll,
        newProtocol,
        random,
        time);
  }

  /** The same with other clocks. */
  public GroupOptions withTime(TimeSource newTime) {
    return new GroupOptions(
        group,
        member,
        address,
        port,
        multicast,
        discovery,
        keys,
        tls,
        expectedMembers,
        membership,
        datagramBytesMax,
        busyPoll,
        protocol,
        random,
        newTime);
  }
}
