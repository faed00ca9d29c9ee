package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import org.terrace.groups.View;

/** An effect that a membership asks for. */
public sealed interface MembershipEffect {
  /** Send the message to the address. */
  record Send(InetSocketAddress to, MembershipMessage message) implements MembershipEffect {}

  /** Tell everybody of the new view. */
  record ViewChanged(View view) implements MembershipEffect {}
}
