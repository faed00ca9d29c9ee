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

  /** Tell everybody of the new view. */
  record ViewChanged(View view) implements MembershipEffect {}
}
