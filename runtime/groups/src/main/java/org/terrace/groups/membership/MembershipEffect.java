package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/** An effect that a membership asks for. */
public sealed interface MembershipEffect {
  /** Send the message to the address. */
  record Send(InetSocketAddress to, MembershipMessage message) implements MembershipEffect {}

  /**
   * Say that this incarnation is none of the group's any more.
   *
   * @param later the incarnation of the same process that others know
   */
  record Outdated(Member later) implements MembershipEffect {}

  /**
   * Tell somebody of another version of the protocol that they do not understand each other.
   *
   * @param members the number of members of this one's view
   */
  record Refuse(InetSocketAddress to, int members) implements MembershipEffect {}

  /**
   * Say that somebody there speaks another version of the protocol.
   *
   * @param yields whether this member is the one that is none of the group
   */
  record Incompatible(InetSocketAddress there, int theirs, boolean yields)
      implements MembershipEffect {}

  /** Tell everybody of the new view. */
  record ViewChanged(View view) implements MembershipEffect {}
}
