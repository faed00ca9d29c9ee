package org.terrace.control.naming;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The questions of a naming process without a vote to one of the others, and all that that one has
 * answered since the first. Confined to its {@link NamingMember}.
 */
final class Inquiry {
  private final long asker;
  private final long askedFloor;
  private final SortedMap<String, Acceptor.Slot> slots = new TreeMap<>();
  private String from = "";
  private long id;
  private boolean answered;
  private boolean admitted;
  private long incarnation;
  private Set<Long> founders = Set.of();
  private long floor;

  /**
   * An inquiry that begins.
   *
   * @param asker the incarnation of the process that asks
   * @param askedFloor the counter below which the other is to take part in no round any more, and
   *     then to tell what it keeps; 0 to ask only how it stands
   * @param id of the first question among those of the asker
   */
  Inquiry(long asker, long askedFloor, long id) {
    this.asker = asker;
    this.askedFloor = askedFloor;
    this.id = id;
  }

  /** The question that is to be answered next. */
  NamingMessage question() {
    return new NamingMessage.Stand(id, asker, askedFloor, from);
  }

  /** Whether this is the answer to the present question. */
  boolean isAnswer(NamingMessage.Standing standing) {
    return standing.id() == id;
  }

  /** Takes the answer; the rest of what another incarnation had begun to tell is of no use. */
  void take(NamingMessage.Standing standing, long nextId) {
    if (from.isEmpty() || standing.incarnation() == incarnation) {
      slots.putAll(standing.slots());
      from = standing.next();
    } else {
      slots.clear();
      from = "";
    }
    answered = true;
    admitted = standing.admitted();
    incarnation = standing.incarnation();
    founders = standing.founders();
    floor = standing.floor();
    id = nextId;
  }

  /** Whether it votes, as far as it has answered. */
  boolean isVoter() {
    return answered && admitted;
  }

  /** Whether it has no vote, as far as it has answered. */
  boolean isNewcomer() {
    return answered && !admitted;
  }

  /** Whether it has not answered, or as one that had no vote before either. */
  boolean mayBe(long newcomer) {
    return !answered || (!admitted && incarnation == newcomer);
  }

  /** Whether it votes, heeds the floor, and has told everything it keeps. */
  boolean isComplete() {
    return isVoter() && floor >= askedFloor && from.isEmpty();
  }

  /** Whether it has told a part of what it keeps. */
  boolean isPartial() {
    return !from.isEmpty();
  }

  /** Its incarnation when it answered last. */
  long incarnation() {
    return incarnation;
  }

  /** The processes that it remembers as those that were new when votes began. */
  Set<Long> founders() {
    return founders;
  }

  /** The counter below which it takes part in no round. */
  long floor() {
    return floor;
  }

  /** The slots that it has told of so far. */
  SortedMap<String, Acceptor.Slot> slots() {
    return slots;
  }
}
