package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.View;

/** An effect that a membership asks for. */
public sealed interface MembershipEffect {
  /**
   * Send the message to the address.
   *
   * @param version of the protocol in which it is to be written
   */
  record Send(InetSocketAddress to, MembershipMessage message, int version)
      implements MembershipEffect {}

  /**
   * Say that this incarnation is none of the group's any more.
   *
   * @param later the incarnation of the same process that others know
   */
  record Outdated(Member later) implements MembershipEffect {}

  /**
   * Tell somebody that what it said was of a version of the protocol that is not understood here.
   *
   * @param nearest the version that is understood here and nearest to that one
   * @param members the number of members of this one's view
   */
  record Refuse(InetSocketAddress to, int nearest, int members) implements MembershipEffect {}

  /**
   * Say that somebody there speaks a version of the protocol that this member does not understand.
   *
   * @param yields whether this member is the one that is none of the group
   */
  record Incompatible(InetSocketAddress there, int theirs, boolean yields)
      implements MembershipEffect {}

  /** Speak with the others in these versions from now on. */
  record Agreed(ProtocolAgreement agreement) implements MembershipEffect {}

  /** Tell everybody of the new view. */
  record ViewChanged(View view) implements MembershipEffect {}
}
