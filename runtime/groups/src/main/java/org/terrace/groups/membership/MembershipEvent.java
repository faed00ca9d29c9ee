package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import java.util.List;

/** What happens to a membership. */
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

  /** Somebody unknown was heard of at that address. */
  record Stranger(InetSocketAddress address) implements MembershipEvent {}

  /** This member says goodbye. */
  record Leave() implements MembershipEvent {}
}
