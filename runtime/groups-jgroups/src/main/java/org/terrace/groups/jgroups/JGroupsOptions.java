package org.terrace.groups.jgroups;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalInt;
import org.terrace.core.TimeSource;
import org.terrace.groups.Group;
import org.terrace.groups.ProtocolVersions;

/**
 * The settings with which a member joins a group over JGroups. Immutable.
 *
 * @param group name of the group (the JGroups cluster)
 * @param member name of this process, unique in the group
 * @param stack the protocols between this process and the network
 * @param datagramBytesMax up to which size messages are bundled by those who use the group, 512
 *     bytes to {@value Group#MESSAGE_BYTES_MAX}; the stack itself splits what its packets cannot
 *     hold
 * @param forgetAfter how long a lost member is remembered
 * @param expectedMembers how many processes the group is meant to have, this one included, 1 or
 *     more; empty if that is not known
 * @param protocol the versions of the protocol that it understands and speaks
 * @param time the clocks
 */
public record JGroupsOptions(
    String group,
    String member,
    JGroupsStack stack,
    int datagramBytesMax,
    Duration forgetAfter,
    OptionalInt expectedMembers,
    ProtocolVersions protocol,
    TimeSource time) {
  private static final int DATAGRAM_BYTES_LEAST = 512;
  private static final int DATAGRAM_BYTES_DEFAULT = 8 << 10;
  private static final InetSocketAddress LOOPBACK_MULTICAST =
      new InetSocketAddress(InetAddress.ofLiteral("239.255.28.1"), 46_655);

  /** Checks the ranges. */
  public JGroupsOptions {
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a group has a name");
    }
    if (datagramBytesMax < DATAGRAM_BYTES_LEAST || datagramBytesMax > Group.MESSAGE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "datagramBytesMax is "
              + DATAGRAM_BYTES_LEAST
              + " to "
              + Group.MESSAGE_BYTES_MAX
              + ", got "
              + datagramBytesMax);
    }
    if (expectedMembers.orElse(1) < 1) {
      throw new IllegalArgumentException(
          "expectedMembers is 1 or more, got " + expectedMembers.getAsInt());
    }
    if (!forgetAfter.isPositive()) {
      throw new IllegalArgumentException("forgetAfter is positive, got " + forgetAfter);
    }
  }

  /** A member on loopback that finds the others of this machine by multicast. */
  public static JGroupsOptions of(String group, String member) {
    return of(
        group,
        member,
        JGroupsStack.multicast(InetAddress.getLoopbackAddress(), LOOPBACK_MULTICAST));
  }

  /** A member with that stack. */
  public static JGroupsOptions of(String group, String member, JGroupsStack stack) {
    return new JGroupsOptions(
        group,
        member,
        stack,
        DATAGRAM_BYTES_DEFAULT,
        Duration.ofDays(1),
        OptionalInt.empty(),
        ProtocolVersions.ofThisProcess(),
        TimeSource.system());
  }

  /**
   * The same, speaking no later version of the protocol, and saying that it understands none: as a
   * build that ends with that version.
   */
  public JGroupsOptions withProtocolVersionMax(int most) {
    return new JGroupsOptions(
        group,
        member,
        stack,
        datagramBytesMax,
        forgetAfter,
        expectedMembers,
        protocol.upTo(most),
        time);
  }

  /**
   * The same in a group that is meant to have so many processes, this one included, as {@code
   * GroupOptions.withExpectedMembers} has it for the built-in group.
   */
  public JGroupsOptions withExpectedMembers(int newExpectedMembers) {
    return new JGroupsOptions(
        group,
        member,
        stack,
        datagramBytesMax,
        forgetAfter,
        OptionalInt.of(newExpectedMembers),
        protocol,
        time);
  }
}
