package org.terrace.control.naming;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One naming process: an {@link Acceptor} that votes only once it knows what it may have promised.
 *
 * <p>A process whose disk is empty is either new or has lost what it promised, and cannot tell. It
 * asks the others how they stand, and is admitted in one of three ways. If all others are as new
 * when asked twice, so that they all were at one moment in between, votes have not begun: it admits
 * itself, and remembers who was there. If one that is admitted remembers it so, it is new as well,
 * and remembers the same. Else it asks so many others that every majority with a vote of its own
 * had one of theirs too, two of three or three of five, to take part in no round of the present age
 * any more, and takes over what they have promised, accepted and learned until then. So no vote
 * that it has forgotten counts beside one that is given later: a round of the earlier age finds no
 * majority. It stays without a vote where too few of the others remember.
 *
 * <p>A pure state machine, confined to one thread. Source of the last way: Howard, "Distributed
 * consensus revised", 2019, section 3.7 (recovery of acceptors without stable storage).
 */
final class NamingMember {
  /** The present purpose of asking the others. */
  private enum Phase {
    LOOKING,
    BEGINNING,
    TAKING_OVER
  }

  private final int others;
  private final long incarnation;
  private final Acceptor acceptor;
  private final Map<Integer, Inquiry> inquiries = new TreeMap<>();
  private final Map<Integer, Long> newcomers = new TreeMap<>();
  private Phase phase = Phase.LOOKING;
  private Set<Long> founders;
  private long questions;
  private long nextAge;
  private boolean admitted;
  private long changes;
  private long storedChanges;

  /**
   * The process with what its disk holds.
   *
   * @param others how many other naming processes there are
   * @param start drawn at random for each start: answers to questions of an earlier one tell
   *     nothing
   */
  NamingMember(StoredNames stored, int others, long start) {
    this.others = others;
    this.incarnation = stored.incarnation();
    this.questions = start;
    this.founders = stored.founders();
    this.acceptor = new Acceptor(stored.slots(), stored.floor());
    this.admitted = stored.admitted();
    if (!admitted && others == 0) {
      admit(Set.of(incarnation));
    } else if (!admitted) {
      begin(Phase.LOOKING);
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

  /** Whether something that must survive a crash has changed since it was stored. */
  boolean isChanged() {
    return changes() > storedChanges;
  }

  /** Everything is stored as it is now. */
  void wasStored() {
    storedChanges = changes();
  }

  private long changes() {
    return changes + acceptor.changes();
  }

  /** The registration that is known to be chosen under a name; null if none is. */
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

  /**
   * The question for one of the others, 0 to their number less one; null if there is none, as when
   * this process votes.
   */
  @Nullable NamingMessage question(int other) {
    Inquiry told = inquiries.get(other);
    return told == null || (phase == Phase.TAKING_OVER && told.isComplete())
        ? null
        : told.question();
  }

  /** The answer to a message; null where there is none, and to votes while it has none. */
  @Nullable NamingMessage step(NamingMessage message) {
    return switch (message) {
      case NamingMessage.Stand asked -> standing(asked);
      case NamingMessage.Enter(long id, long floor) -> {
        if (admitted) {
          acceptor.raiseFloor(floor);
        }
        yield admitted ? new NamingMessage.Entered(id, incarnation, acceptor.floor()) : null;
      }
      case NamingMessage.Prepare prepare -> admitted ? acceptor.step(prepare) : null;
      case NamingMessage.Accept accept -> admitted ? acceptor.step(accept) : null;
      case NamingMessage other -> acceptor.step(other);
    };
  }

  private NamingMessage standing(NamingMessage.Stand asked) {
    boolean tells = admitted && asked.floor() > 0;
    if (tells) {
      acceptor.raiseFloor(asked.floor());
    }
    SortedMap<String, Acceptor.Slot> page = tells ? acceptor.page(asked.from()) : new TreeMap<>();
    return new NamingMessage.Standing(
        asked.id(), admitted, incarnation, founders, acceptor.floor(), page, acceptor.next(page));
  }

  /**
   * Takes note of how one of the others stands, 0 to their number less one. Whether it has more to
   * tell, and is to be asked at once; others are asked again from time to time.
   */
  boolean heard(int other, NamingMessage.Standing standing) {
    Inquiry told = inquiries.get(other);
    if (told == null || !told.isAnswer(standing)) {
      return false; // It answers an earlier question, of an earlier start, or of a lost disk's.
    }
    told.take(standing, ++questions);
    if (standing.admitted() && standing.founders().contains(incarnation)) {
      admit(standing.founders());
      return false;
    }
    switch (phase) {
      case LOOKING -> look();
      case BEGINNING -> beginVotes();
      case TAKING_OVER -> takeOver();
    }
    return !admitted && phase == Phase.TAKING_OVER && told.isPartial();
  }

  private void begin(Phase next) {
    phase = next;
    for (int other = 0; other < others; other++) {
      inquiries.put(other, new Inquiry(incarnation, nextAge, ++questions));
    }
  }

  /** Takes over if enough members vote, and begins if nobody does, as far as is known. */
  private void look() {
    List<Inquiry> voters = inquiries.values().stream().filter(Inquiry::isVoter).toList();
    if (voters.size() >= enough()) {
      nextAge = Ballot.nextAge(voters.stream().mapToLong(Inquiry::floor).max().orElse(0));
      begin(Phase.TAKING_OVER);
    } else if (inquiries.values().stream().allMatch(Inquiry::isNewcomer)) {
      newcomers.clear();
      inquiries.forEach((other, told) -> newcomers.put(other, told.incarnation()));
      begin(Phase.BEGINNING);
    }
  }

  /** Those who have no vote, and had none before, had none in between. */
  private void beginVotes() {
    boolean isChanged =
        !inquiries.entrySet().stream()
            .allMatch(each -> each.getValue().mayBe(newcomers.getOrDefault(each.getKey(), 0L)));
    if (isChanged) {
      begin(Phase.LOOKING);
    } else if (inquiries.values().stream().allMatch(Inquiry::isNewcomer)) {
      Set<Long> present = new HashSet<>(newcomers.values());
      present.add(incarnation);
      admit(present);
    }
  }

  private void takeOver() {
    List<Inquiry> voters = inquiries.values().stream().filter(Inquiry::isComplete).toList();
    if (voters.size() >= enough()) {
      Set<Long> remembered = new HashSet<>();
      for (Inquiry voter : voters) {
        acceptor.takeOver(voter.slots());
        acceptor.raiseFloor(voter.floor());
        remembered.addAll(voter.founders());
      }
      acceptor.raiseFloor(nextAge);
      admit(remembered);
    }
  }

  /** The number of others such that every majority with a vote of this one has a vote of theirs. */
  private int enough() {
    return (others + 2) / 2;
  }

  private void admit(Set<Long> whoWasNew) {
    founders = Set.copyOf(whoWasNew);
    admitted = true;
    changes++;
    inquiries.clear();
  }
}
