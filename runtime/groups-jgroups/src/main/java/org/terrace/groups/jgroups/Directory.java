package org.terrace.groups.jgroups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.View;

/**
 * The members behind the addresses of a JGroups view: an address becomes a member when its hello
 * has been heard, and stays one until it says goodbye or leaves the JGroups view. Confined.
 */
final class Directory {
  /** Most lost members remembered; the longest lost go first. */
  private static final int LOST_MAX = 64;

  /**
   * A member, where it is, the versions of the protocol that it understands, and how many
   * multicasts it had sent before it knew of this one.
   */
  record Peer(Member member, Address address, ProtocolVersions understood, long multicastsBefore) {}

  private record Lost(Member member, long sinceNanos) {}

  private final Member self;
  private final Duration forgetAfter;
  private final Set<Address> present = new HashSet<>();
  private final Set<Address> goodbyes = new HashSet<>();
  private final Map<Address, Peer> peers = new HashMap<>();
  private final Map<Long, Lost> lost =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Lost> eldest) {
          return size() > LOST_MAX;
        }
      };
  private View view;

  Directory(Member self, Duration forgetAfter) {
    this.self = self;
    this.forgetAfter = forgetAfter;
    this.view = new View(1, self, List.of(self), List.of());
  }

  View view() {
    return view;
  }

  /** These are the addresses other than one's own that JGroups has in its view. */
  void addressesChanged(Collection<Address> others, long nowNanos) {
    present.clear();
    present.addAll(others);
    goodbyes.retainAll(present);
    peers
        .values()
        .removeIf(peer -> {
          boolean gone = !present.contains(peer.address());
          if (gone) {
            lost.put(peer.member().id(), new Lost(peer.member(), nowNanos));
          }
          return gone;
        });
  }

  void heardHello(Address from, Hello hello) {
    Member member = hello.member();
    if (present.contains(from)
        && !goodbyes.contains(from)
        && !peers.containsKey(from)
        && !member.isSameProcessAs(self)) {
      peers.put(from, new Peer(member, from, hello.understood(), hello.multicasts()));
    }
  }

  void heardGoodbye(Address from) {
    if (peers.remove(from) != null) {
      goodbyes.add(from);
    }
  }

  /** Forgets who has been lost for too long. */
  void forget(long nowNanos) {
    lost.values().removeIf(one -> nowNanos - one.sinceNanos() >= forgetAfter.toNanos());
  }

  /** Addresses whose hello has not been heard. */
  List<Address> strangers() {
    return present.stream()
        .filter(address -> !peers.containsKey(address) && !goodbyes.contains(address))
        .toList();
  }

  /** The latest incarnation of each process, by address. */
  Map<Address, Peer> livePeers() {
    Map<Address, Peer> live = new HashMap<>(peers);
    live.values()
        .removeIf(peer ->
            peers.values().stream()
                .anyMatch(other ->
                    other.member().isSameProcessAs(peer.member())
                        && other.member().id() > peer.member().id()));
    return live;
  }

  /**
   * The versions in which a member that understands these speaks to the others: to all in the
   * earliest while there is anybody whose hello has not been heard, since a multicast reaches them.
   */
  ProtocolAgreement agreement(ProtocolVersions own) {
    Map<Long, ProtocolVersions> others = new HashMap<>();
    livePeers().values().forEach(peer -> others.put(peer.member().id(), peer.understood()));
    ProtocolAgreement agreed = ProtocolAgreement.of(own, others);
    return strangers().isEmpty()
        ? agreed
        : new ProtocolAgreement(own, own.least(), own.least(), agreed.toEach());
  }

  /** The new view, if it has changed since the last call. */
  @Nullable View takeChangedView() {
    List<Member> live = new ArrayList<>(List.of(self));
    livePeers().values().forEach(peer -> live.add(peer.member()));
    lost.values().removeIf(one -> live.stream().anyMatch(one.member()::isSameProcessAs));
    View next =
        new View(view.version() + 1, self, live, lost.values().stream().map(Lost::member).toList());
    if (next.members().equals(view.members()) && next.lost().equals(view.lost())) {
      return null;
    }
    view = next;
    return next;
  }
}
