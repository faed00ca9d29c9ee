package org.terrace.control.naming;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One naming process: an {@link Acceptor} that votes only once it knows what it may have promised.
 *
 * <p>A process whose disk is empty is either new or has lost what it promised, and cannot tell. It
 * asks the others how they stand, and is admitted in one of three ways. If all others are as new,
 * it admits itself and remembers who they were. If one that is admitted remembers it so, it is new
 * as well. Else it asks so many others that every majority with a vote of its own had one of theirs
 * too, two of three or three of five, to take part in no round of the present age any more, and
 * takes over what they have promised, accepted and learned until then. So no vote that it has
 * forgotten counts beside one that is given later: a round of the earlier age finds no majority. It
 * stays without a vote where too few of the others remember.
 *
 * <p>A pure state machine, confined to one thread. Source of the last way: Howard, "Distributed
 * consensus revised", 2019, section 3.7 (recovery of acceptors without stable storage).
 */
final class NamingMember {
  private final int others;
  private final long incarnation;
  private final Acceptor acceptor;
  private final Map<Integer, NamingMessage.Standing> standings = new TreeMap<>();
  private Set<Long> founders;
  private long nextAge;
  private boolean admitted;
  private boolean changed;

  /**
   * The process with what its disk holds.
   *
   * @param others how many other naming processes there are
   */
  NamingMember(StoredNames stored, int others) {
    this.others = others;
    this.incarnation = stored.incarnation();
    this.founders = stored.founders();
    this.acceptor = new Acceptor(stored.slots(), stored.floor());
    this.admitted = stored.admitted();
    if (!admitted && others == 0) {
      admit();
    }
  }

  /** Whether it votes. */
  boolean isAdmitted() {
    return admitted;
  }

  /** Everything that must survive a crash. */
  StoredNames stored() {
    return new StoredNames(admitted, incarnation, founders, acceptor.floor(), acceptor.slots());
  }

  /** Whether something changed since the last call that must be stored before a reply. */
  boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return acceptor.takeChanged() || was;
  }

  /** What is known to be chosen under a name. */
  @Nullable Registration chosen(String name) {
    return acceptor.chosen(name);
  }

  /** Takes note of what somebody says was chosen, if it may be so; whether it is news. */
  boolean hear(Registration value) {
    return acceptor.hear(value);
  }

  /** Takes note of what another naming process knows to be chosen; whether it is news. */
  boolean learn(Registration value) {
    return acceptor.learn(value);
  }

  /** The question that a process without a vote asks the others. */
  NamingMessage question() {
    return new NamingMessage.Stand(incarnation, incarnation, nextAge);
  }

  /** The answer to a message; null where there is none, and to votes while it has none. */
  @Nullable NamingMessage step(NamingMessage message) {
    return switch (message) {
      case NamingMessage.Stand(long id, long asker, long floor) -> standing(id, asker, floor);
      case NamingMessage.Prepare prepare -> admitted ? acceptor.step(prepare) : null;
      case NamingMessage.Accept accept -> admitted ? acceptor.step(accept) : null;
      case NamingMessage other -> acceptor.step(other);
    };
  }

  /** Takes note of how one of the others stands, 0 to their number less one. */
  void heard(int other, NamingMessage.Standing standing) {
    if (admitted || standing.id() != incarnation) {
      return; // The answer to an incarnation that lost its disk tells nothing of this one.
    }
    standings.put(other, standing);
    List<NamingMessage.Standing> voters =
        standings.values().stream()
            .filter(each -> each.admitted() && each.floor() >= nextAge)
            .toList();
    boolean isAnyAdmitted = standings.values().stream().anyMatch(NamingMessage.Standing::admitted);
    if (!isAnyAdmitted && standings.size() == others) {
      Set<Long> equals = new HashSet<>();
      standings.values().forEach(each -> equals.add(each.incarnation()));
      founders = Set.copyOf(equals);
      admit();
    } else if (voters.stream().anyMatch(NamingMessage.Standing::founder)) {
      admit();
    } else if (voters.size() >= (others + 2) / 2) {
      if (nextAge == 0) {
        nextAge = Ballot.nextAge(latestCounter(voters));
        standings.clear();
      } else {
        voters.forEach(voter -> acceptor.takeOver(voter.slots()));
        acceptor.raiseFloor(nextAge);
        admit();
      }
    }
  }

  private NamingMessage standing(long id, long asker, long floor) {
    if (admitted) {
      acceptor.raiseFloor(floor);
    }
    return new NamingMessage.Standing(
        id,
        admitted,
        incarnation,
        founders.contains(asker),
        acceptor.floor(),
        admitted ? acceptor.slots() : Map.of());
  }

  private static long latestCounter(List<NamingMessage.Standing> voters) {
    long latest = 0;
    for (NamingMessage.Standing voter : voters) {
      latest = Math.max(latest, voter.floor());
      for (Acceptor.Slot slot : voter.slots().values()) {
        latest = Math.max(latest, slot.promised().counter());
      }
    }
    return latest;
  }

  private void admit() {
    admitted = true;
    changed = true;
    standings.clear();
  }
}
