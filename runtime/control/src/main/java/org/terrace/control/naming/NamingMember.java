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
 * as well. Else it takes over what so many others have promised, accepted and learned that every
 * majority with a vote of its own had one of theirs too: two of three, three of five. It stays
 * without a vote where too few of the others remember.
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
    this.acceptor = new Acceptor(stored.slots());
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
    return new StoredNames(admitted, incarnation, founders, acceptor.slots());
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
    return new NamingMessage.Stand(0, incarnation);
  }

  /** The answer to a message; null where there is none, and to votes while it has none. */
  @Nullable NamingMessage step(NamingMessage message) {
    return switch (message) {
      case NamingMessage.Stand(long id, long asker) ->
          new NamingMessage.Standing(
              id,
              admitted,
              incarnation,
              founders.contains(asker),
              admitted ? acceptor.slots() : Map.of());
      case NamingMessage.Prepare prepare -> admitted ? acceptor.step(prepare) : null;
      case NamingMessage.Accept accept -> admitted ? acceptor.step(accept) : null;
      case NamingMessage other -> acceptor.step(other);
    };
  }

  /** Takes note of how one of the others stands, 0 to their number less one. */
  void heard(int other, NamingMessage.Standing standing) {
    if (admitted) {
      return;
    }
    standings.put(other, standing);
    List<NamingMessage.Standing> voters =
        standings.values().stream().filter(NamingMessage.Standing::admitted).toList();
    if (voters.isEmpty() && standings.size() == others) {
      Set<Long> equals = new HashSet<>();
      standings.values().forEach(each -> equals.add(each.incarnation()));
      founders = Set.copyOf(equals);
      admit();
    } else if (voters.stream().anyMatch(NamingMessage.Standing::founder)) {
      admit();
    } else if (voters.size() >= (others + 2) / 2) {
      voters.forEach(voter -> acceptor.takeOver(voter.slots()));
      admit();
    }
  }

  private void admit() {
    admitted = true;
    changed = true;
    standings.clear();
  }
}
