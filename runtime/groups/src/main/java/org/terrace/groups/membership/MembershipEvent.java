package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import java.util.List;

/** An event that a membership handles. */
public sealed interface MembershipEvent {
  /** Time has passed. */
  record Tick() implements MembershipEvent {}

  /** A message has arrived. */
  record Received(MembershipMessage message) implements MembershipEvent {}

  /** Addresses at which members may be found have become known; they replace earlier ones. */
  record Contacts(List<InetSocketAddress> addresses) implements MembershipEvent {
    /** Copies the addresses. */
    public Contacts {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * A message came in a version of the protocol that this member does not understand.
   *
   * @param from whence it came
   * @param theirs their version
   * @param members how many members their view has, if they refuse this one; 0 if they do not know
   *     yet whom they talk to
   */
  record Incompatible(InetSocketAddress from, int theirs, int members) implements MembershipEvent {}

  /**
   * A message of this member's was not understood by one that understands another version that it
   * speaks.
   */
  record Corrected(InetSocketAddress from, int version) implements MembershipEvent {}

  /** A stranger was heard of at that address. */
  record Stranger(InetSocketAddress address) implements MembershipEvent {}

  /**
   * The connection to that member has ended: its process may have, or only something in between.
   */
  record Disconnected(long member) implements MembershipEvent {}

  /** The machine of that member answered that no process listens at the member's address. */
  record Refused(long member) implements MembershipEvent {}

  /** This member says goodbye. */
  record Leave() implements MembershipEvent {}
}
