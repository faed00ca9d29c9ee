package org.terrace.collections.gossip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.StepTime;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.DeltaSections;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Member;
import org.terrace.groups.View;

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
 * <p>A deterministic function of its events, the times passed in, its generator and the replica's
 * state, which it reads and repairs; it sends nothing and makes no updates itself. Confined to the
 * holder of the replica's lock.
 */
public class AntiEntropy {
  private final long writer;
  private final ReplicaState state;
  private final HybridClock clock;
  private final int messageBytesMax;
  private final RandomGenerator random;
  private final List<GossipEffect> effects = new ArrayList<>();
  private final GossipCounters counters = new GossipCounters();
  private final StateTransfer stateTransfer;
  private final BulkSource bulkSource;
  private final Retirement retirement;
  private final Departure departure;
  private final GossipBudget budget;
  private final Completeness completeness;
  private final Map<Long, Retirement.Seen> lastSeen = new HashMap<>();
  private View view;
  private long rounds;
  private long nowNanos;

  /**
   * The anti-entropy of one replica.
   *
   * @param view the group as the replica sees it now
   * @param state what the replica has
   * @param clock is told of the stamps of what comes
   * @param messageBytesMax how large a message of repair may be
   * @param random picks partners
   */
  public AntiEntropy(
      View view,
      ReplicaState state,
      HybridClock clock,
      int messageBytesMax,
      RandomGenerator random) {
    this.view = view;
    this.writer = view.self().id();
    this.state = state;
    this.clock = clock;
    this.messageBytesMax = messageBytesMax;
    this.random = random;
    this.retirement = new Retirement(state);
    this.completeness = new Completeness(state);
    this.departure = new Departure(writer, state, () -> this.view);
    this.budget = new GossipBudget(effects, counters);
    this.bulkSource = new BulkSource(state, messageBytesMax);
    long firstTransfer = random.nextLong() >>> 2;
    this.stateTransfer =
        new StateTransfer(
            writer, id -> this.view.contains(id), state, clock, firstTransfer, budget, effects);
  }

  /**
   * Takes one event at the time of the step, and says what is to be done.
   *
   * @throws org.terrace.core.codec.MalformedDataException if a message cannot be understood
   */
  public List<GossipEffect> step(StepTime now, GossipEvent event) {
    nowNanos = now.elapsedNanos();
    stateTransfer.setTime(nowNanos);
    clock.stepAt(now);
    effects.clear();
    switch (event) {
      case GossipEvent.Round() -> round();
      case GossipEvent.Compare() -> compareWithAny();
      case GossipEvent.ViewChanged(View changed) -> {
        view = changed;
        changed.others().forEach(other -> state.applied().roster().enrol(other.id()));
        completeness.viewChanged(changed, rounds);
      }
      case GossipEvent.Received(Member from, int kind, Decoder message) ->
          receive(from, kind, message);
      case GossipEvent.Forget(String name) -> forget(name);
      case GossipEvent.Leave(boolean hasCheckpoint) -> leave(hasCheckpoint);
      case GossipEvent.CheckpointDiscarded() -> departure.checkpointDiscarded();
    }
    return List.copyOf(effects);
  }

  private void receive(Member from, int kind, Decoder in) {
    switch (kind) {
      case Message.DIGEST -> receiveDigest(from, in);
      case Message.SKETCH_REQUEST -> stateTransfer.receiveSketchRequest(from, in);
      case Message.SKETCH -> stateTransfer.receiveSketch(from, in);
      case Message.FETCH -> stateTransfer.receiveFetch(from, in);
      case Message.ENTRIES -> stateTransfer.receiveEntries(from, in);
      case Message.BULK_REQUEST -> {
        Encoder part = bulkSource.answer(nowNanos, from, in);
        if (part != null) {
          effects.add(new GossipEffect.Send(from, part));
        }
      }
      case Message.BULK -> stateTransfer.receivePart(from, in);
      default -> throw new MalformedDataException("unknown kind of message " + kind);
    }
  }

  /** Counts of what has been done so far. */
  public GossipCounters.Counts counts() {
    return counters.now();
  }

  /** The number of times that this replica has found incarnations that could be retired. */
  public long retirements() {
    return retirement.retirements();
  }

  /** Number of replicas that are waited for and not in the view. */
  public long replicasAway() {
    return retirement.replicasAway(view);
  }

  /** The phase of the replica's planned goodbye. */
  public Departure.Phase departure() {
    return departure.phase();
  }

  /** Whether its heirs have all that the replica has, so that its checkpoint is to be discarded. */
  public boolean isHandedOver() {
    return departure.isHandedOver(lastSeen);
  }

  /** Calls the departure off, unless it was told; whether the checkpoint is needed again. */
  public boolean keepCheckpoint() {
    return departure.keepCheckpoint();
  }

  /** The members to which the replica handed over when it left. */
  public List<Member> heirs() {
    return departure.heirs();
  }

  /** Whether the replica applies, acknowledges and makes no updates any more. */
  public boolean isFrozen() {
    return departure.isFrozen();
  }

  /** Compares with one other replica, chosen at random. */
  private void round() {
    List<Member> others = view.others();
    lastSeen.keySet().removeIf(id -> !view.contains(id));
    settleClock();
    rounds++;
    departure.advance(lastSeen);
    if (!departure.isFrozen()) {
      retirement.round(rounds, view, lastSeen);
    }
    budget.round(view);
    if (others.isEmpty()) {
      return;
    }
    counters.rounds++;
    forgetWhatAllHave(others);
    stateTransfer.retry();
    compareWithAny();
  }

  private void settleClock() {
    clock.agreed().settle(clock.now(), view::containsReplica, view.others().size());
  }

  /** Begins to forget a replica. */
  private void forget(String name) {
    if (view.members().stream().anyMatch(member -> member.name().equals(name))) {
      throw new IllegalArgumentException(
          "'" + name + "' is a live member and cannot be forgotten: stop it first");
    }
    retirement.forget(Member.replicaOf(name));
  }

  /** Whether that replica has been forgotten. */
  public boolean hasForgotten(String name) {
    return retirement.isForgotten(Member.replicaOf(name));
  }

  /** Begins to leave; {@link #departure} tells how far that has come. */
  private void leave(boolean hasCheckpoint) {
    state.applied().roster().enrol(writer);
    view.others().forEach(other -> state.applied().roster().enrol(other.id()));
    departure.begin(hasCheckpoint);
  }

  /** Compares with one other replica between two rounds; one that is to tell, if there is any. */
  private void compareWithAny() {
    List<Member> unaware = departure.unaware(lastSeen);
    List<Member> others = unaware.isEmpty() ? view.others() : unaware;
    int flags = unaware.isEmpty() ? Message.FLAG_ANSWER : Message.FLAG_ANSWER | Message.FLAG_TELL;
    Member other = others.get(random.nextInt(others.size()));
    budget.send(
        GossipBudget.Use.COMPARISON,
        other,
        () -> Digest.of(state, flags, clock.agreed().told(clock.now())).encode());
  }

  /** Number of rounds of gossip so far. */
  public long rounds() {
    return rounds;
  }

  /** Whether all that each other one was last heard to have, after that round, is applied here. */
  public boolean isCaughtUpSince(long round) {
    return completeness.isCaughtUpSince(round, view, lastSeen);
  }

  /** Whether nobody is missing, and all that others had in that round of this one is here. */
  public boolean isCompleteSince(long round) {
    return completeness.isCompleteSince(round, view, lastSeen);
  }

  /**
   * Whether this member is the one that may go on from an update for all: the first of its view, in
   * which every known replica is, and each was last heard to know of the same replicas, to have
   * applied what is asked for, and nothing that is not applied here.
   */
  public boolean isStableHere(Predicate<VersionVector> hasApplied) {
    return retirement.isStableHere(hasApplied, view, lastSeen);
  }

  private void receiveDigest(Member from, Decoder in) {
    Digest theirs = Digest.decode(in);
    lastSeen.put(from.id(), new Retirement.Seen(theirs.applied(), rounds));
    clock.agreed().observe(Member.replicaOf(from.id()), theirs.clocks(), clock.now());
    settleClock();
    effects.add(new GossipEffect.Acknowledged(from, theirs.applied().floor(writer)));
    departure.advance(lastSeen);
    // Also while frozen: others may leave meanwhile, for whom it would wait for ever.
    state.applied().roster().enrolAll(theirs.applied().roster());
    if (departure.isFrozen()) {
      answerFrozen(from, theirs);
      return;
    }
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
    sections.addKnown(state.log().withoutRecent(theyLack), state.log(), messageBytesMax);
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
      state.join(theirs.applied(), List.of(), state.dotFingerprints());
      effects.add(new GossipEffect.AcknowledgeAll());
    } else {
      stateTransfer.pull(from, theirs, updatesApart);
    }
  }

  private void answerWithDigest(Member to, int flags) {
    budget.send(
        GossipBudget.Use.ANSWER,
        to,
        () -> Digest.of(state, flags, clock.agreed().told(clock.now())).encode());
  }

  private void sendRepair(Member to, DeltaSections sections) {
    if (!sections.isEmpty()) {
      budget.send(GossipBudget.Use.UPDATES, to, sections.toMessage(Message.DELTAS, 0));
      counters.resent += sections.size();
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
    boolean logHoldsAll = sections.addKnown(due, state.log(), messageBytesMax);
    if (!logHoldsAll || sections.bytes() >= messageBytesMax) {
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
      counters.silentDivergences++;
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
    return spans.stream().mapToLong(span -> span.range().size()).sum();
  }
}
