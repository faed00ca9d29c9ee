package org.terrace.collections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.core.codec.Decoder;
import org.terrace.groups.Member;

/**
 * Repair by gossip: each round compares what this replica has applied with one other.
 *
 * <ol>
 *   <li>A sends its digest to B.
 *   <li>B sends what A lacks, from its log; and its own digest, if it lacks something itself.
 *   <li>A sends what B lacks.
 * </ol>
 *
 * <p>Where the log no longer holds what is lacking, B's digest says so instead, and A pulls from
 * B's state ({@link StateTransfer}); so it does where B has retired incarnations that A has not. No
 * process sends more than three messages in a round ({@link GossipBudget}). Source: Demers and
 * others, "Epidemic Algorithms for Replicated Database Maintenance", 1987.
 *
 * <p>Confined to the holder of the replica's lock.
 */
final class AntiEntropy {
  private final Replica replica;
  private final ReplicaState state;
  private final CollectionsOptions options;
  private final StateTransfer stateTransfer;
  private final Retirement retirement;
  private final Departure departure;
  private final GossipBudget budget;
  private final Map<Long, Retirement.Seen> lastSeen = new HashMap<>();
  private long rounds;

  AntiEntropy(Replica replica, ReplicaState state, CollectionsOptions options) {
    this.replica = replica;
    this.state = state;
    this.options = options;
    this.retirement = new Retirement(state);
    this.departure = new Departure(replica, state);
    this.budget = new GossipBudget(replica);
    this.stateTransfer = new StateTransfer(replica, state, options, budget);
  }

  Retirement retirement() {
    return retirement;
  }

  Departure departure() {
    return departure;
  }

  StateTransfer stateTransfer() {
    return stateTransfer;
  }

  /** Compares with one other replica, chosen at random. */
  void round() {
    List<Member> others = replica.view().others();
    lastSeen.keySet().removeIf(id -> !replica.view().contains(id));
    replica.beginGossipRound();
    replica.countOthers();
    rounds++;
    departure.advance(lastSeen);
    if (!departure.isFrozen()) {
      retirement.round(rounds, replica.view(), lastSeen);
    }
    budget.round();
    if (others.isEmpty()) {
      return;
    }
    replica.counters().gossipRounds++;
    forgetWhatAllHave(others);
    stateTransfer.retry();
    compareWithAny();
  }

  /** Begins to forget a replica. */
  void forget(String name) {
    if (replica.view().members().stream().anyMatch(member -> member.name().equals(name))) {
      throw new IllegalArgumentException(
          "'" + name + "' is a live member and cannot be forgotten: stop it first");
    }
    retirement.forget(Member.replicaOf(name));
  }

  boolean hasForgotten(String name) {
    return retirement.isForgotten(Member.replicaOf(name));
  }

  /** Begins to leave; {@link #departure} tells how far that has come. */
  void leave() {
    state.applied().roster().enrol(replica.writer());
    replica.view().others().forEach(other -> state.applied().roster().enrol(other.id()));
    departure.begin();
  }

  /** Compares with one other replica between two rounds; one that is to tell, if there is any. */
  void compareWithAny() {
    List<Member> unaware = departure.unaware(lastSeen);
    List<Member> others = unaware.isEmpty() ? replica.view().others() : unaware;
    int flags = unaware.isEmpty() ? Message.FLAG_ANSWER : Message.FLAG_ANSWER | Message.FLAG_TELL;
    Member other = others.get(options.random().nextInt(others.size()));
    budget.send(GossipBudget.Use.COMPARISON, other, () -> Digest.of(state, flags).encode());
  }

  /** Whether this replica has applied whatever each other one was last heard to have. */
  boolean isCaughtUp() {
    for (Member other : replica.view().others()) {
      Retirement.Seen seen = lastSeen.get(other.id());
      if (seen == null || !state.applied().covers(seen.applied())) {
        return false;
      }
    }
    return true;
  }

  void receiveDigest(Member from, Decoder in) {
    Digest theirs = Digest.decode(in);
    lastSeen.put(from.id(), new Retirement.Seen(theirs.applied(), rounds));
    replica.acknowledged(from, theirs.applied().floor(replica.writer()));
    departure.advance(lastSeen);
    if (departure.isFrozen()) {
      answerFrozen(from, theirs);
      return;
    }
    state.applied().roster().enrolAll(theirs.applied().roster());
    replica.countOthers();
    if (theirs.applied().roster().retiresBeyond(state.applied().roster())) {
      state.retireAsAgreed(theirs.applied());
    }
    List<VersionVector.Span> theyLack = state.applied().minus(theirs.applied());
    List<VersionVector.Span> weLack = theirs.applied().minus(state.applied());
    if (theirs.applied().roster().retiresBeyond(state.applied().roster())) {
      takeOver(from, theirs, sizeOf(theyLack) + sizeOf(weLack));
    } else if (theirs.wantsAnswer()
        && state.applied().roster().retiresBeyond(theirs.applied().roster())) {
      answerWithDigest(from, Message.FLAG_LOG_CUT);
    } else if (theirs.wantsAnswer()) {
      answer(from, theirs, theyLack, weLack);
    } else if (theirs.saysLogCut()) {
      stateTransfer.pull(from, theirs, sizeOf(theyLack) + sizeOf(weLack));
    } else {
      sendLogged(from, theyLack);
    }
  }

  /** Gives what the other lacks and takes nothing. */
  private void answerFrozen(Member from, Digest theirs) {
    List<VersionVector.Span> theyLack = state.applied().minus(theirs.applied());
    boolean retiresMore = state.applied().roster().retiresBeyond(theirs.applied().roster());
    if (theirs.wantsAnswer() && retiresMore) {
      answerWithDigest(from, Message.FLAG_LOG_CUT);
    } else if (theirs.wantsAnswer() && !theyLack.isEmpty()) {
      answer(from, theirs, theyLack, List.of());
    } else if (theirs.wantsDigest()) {
      answerWithDigest(from, 0);
    } else {
      sendLogged(from, theyLack);
    }
  }

  private void sendLogged(Member to, List<VersionVector.Span> theyLack) {
    DeltaSections sections = new DeltaSections();
    sections.addKnown(state.log().withoutRecent(theyLack), state.log(), options.messageBytesMax());
    sendRepair(to, sections);
  }

  /**
   * Takes over which incarnations the other has retired though not the same was known of them here.
   * What it had of theirs cannot be told any more, so that takes all of its state, unless both have
   * the same entries anyway.
   */
  private void takeOver(Member from, Digest theirs, long updatesApart) {
    if (theirs.fingerprint() == state.fingerprint()
        && theirs.entries() == state.entries()
        && theirs.supersededAhead() == 0) {
      state.join(theirs.applied(), List.of(), state.fingerprints());
      replica.reception().acknowledgeAll();
    } else {
      stateTransfer.pull(from, theirs, updatesApart);
    }
  }

  private void answerWithDigest(Member to, int flags) {
    budget.send(GossipBudget.Use.ANSWER, to, () -> Digest.of(state, flags).encode());
  }

  private void sendRepair(Member to, DeltaSections sections) {
    if (!sections.isEmpty()) {
      budget.send(GossipBudget.Use.UPDATES, to, sections.toMessage(0));
      replica.counters().deltasResent += sections.size();
    }
  }

  private void answer(
      Member from,
      Digest theirs,
      List<VersionVector.Span> theyLack,
      List<VersionVector.Span> weLack) {
    if (theyLack.isEmpty() && weLack.isEmpty()) {
      audit(from, theirs);
      if (theirs.wantsDigest()) {
        answerWithDigest(from, 0);
      }
      return;
    }
    DeltaSections sections = new DeltaSections();
    List<VersionVector.Span> due = state.log().withoutRecent(theyLack);
    boolean logHoldsAll = sections.addKnown(due, state.log(), options.messageBytesMax());
    if (!logHoldsAll || sections.bytes() >= options.messageBytesMax()) {
      answerWithDigest(from, Message.FLAG_LOG_CUT);
      return;
    }
    sendRepair(from, sections);
    if (!weLack.isEmpty() || theirs.wantsDigest()) {
      answerWithDigest(from, 0);
    }
  }

  /** Replicas that have applied the same updates must have the same entries. */
  private void audit(Member from, Digest theirs) {
    if (theirs.fingerprint() != state.fingerprint()
        && theirs.supersededAhead() == 0
        && state.supersededAhead().isEmpty()) {
      replica.counters().silentDivergences++;
      stateTransfer.audit(from, theirs);
    }
  }

  private void forgetWhatAllHave(List<Member> others) {
    List<VersionVector> all = new ArrayList<>();
    for (Member other : others) {
      Retirement.Seen seen = lastSeen.get(other.id());
      if (seen == null) {
        return;
      }
      all.add(seen.applied());
    }
    state.log().forgetKnown(writer -> floorOfAll(all, writer));
  }

  private static long floorOfAll(List<VersionVector> all, long writer) {
    long floor = Long.MAX_VALUE;
    for (VersionVector seen : all) {
      floor = Math.min(floor, seen.roster().isRetired(writer) ? floor : seen.floor(writer));
    }
    return floor;
  }

  private static long sizeOf(List<VersionVector.Span> spans) {
    long size = 0;
    for (VersionVector.Span span : spans) {
      size += span.range().size();
    }
    return size;
  }
}
