package org.terrace.collections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * B's state ({@link StateTransfer}). No process sends more than three messages a round. Source:
 * Demers and others, "Epidemic Algorithms for Replicated Database Maintenance", 1987.
 *
 * <p>Confined to the holder of the replica's lock.
 */
final class AntiEntropy {
  private final Replica replica;
  private final ReplicaState state;
  private final CollectionsOptions options;
  private final StateTransfer stateTransfer;
  private final Map<Long, VersionVector> lastSeen = new HashMap<>();

  AntiEntropy(Replica replica, ReplicaState state, CollectionsOptions options) {
    this.replica = replica;
    this.state = state;
    this.options = options;
    this.stateTransfer = new StateTransfer(replica, state, options);
  }

  StateTransfer stateTransfer() {
    return stateTransfer;
  }

  /** Compares with one other replica, chosen at random. */
  void round() {
    List<Member> others = replica.view().others();
    lastSeen.keySet().removeIf(id -> !replica.view().contains(id));
    if (others.isEmpty()) {
      return;
    }
    replica.counters().gossipRounds++;
    dropWhatAllHave(others);
    stateTransfer.retry();
    compareWith(others.get(options.random().nextInt(others.size())));
  }

  /** Whether this replica has applied whatever each other one was last heard to have. */
  boolean isCaughtUp() {
    for (Member other : replica.view().others()) {
      VersionVector seen = lastSeen.get(other.id());
      if (seen == null || !state.applied().covers(seen)) {
        return false;
      }
    }
    return true;
  }

  /** Begins a round with that replica. */
  void compareWith(Member other) {
    replica.send(other, Digest.of(state, Message.FLAG_ANSWER).encode());
  }

  void receiveDigest(Member from, Decoder in) {
    Digest theirs = Digest.decode(in);
    lastSeen.put(from.id(), theirs.applied());
    replica.acknowledged(from, theirs.applied().floor(replica.writer()));
    List<VersionVector.Span> theyLack = state.applied().minus(theirs.applied());
    List<VersionVector.Span> weLack = theirs.applied().minus(state.applied());
    if (theirs.wantsAnswer()) {
      answer(from, theirs, theyLack, weLack);
    } else if (theirs.saysLogCut()) {
      stateTransfer.pull(from, theirs, sizeOf(theyLack) + sizeOf(weLack));
    } else {
      DeltaSections sections = new DeltaSections();
      List<VersionVector.Span> due = state.log().withoutRecent(theyLack);
      sections.addKnown(due, state.log(), options.messageBytesMax());
      replica.retransmission().sendRepair(from, sections);
    }
  }

  private void answer(
      Member from,
      Digest theirs,
      List<VersionVector.Span> theyLack,
      List<VersionVector.Span> weLack) {
    if (theyLack.isEmpty() && weLack.isEmpty()) {
      audit(from, theirs);
      return;
    }
    DeltaSections sections = new DeltaSections();
    List<VersionVector.Span> due = state.log().withoutRecent(theyLack);
    boolean logHoldsAll = sections.addKnown(due, state.log(), options.messageBytesMax());
    if (!logHoldsAll || sections.bytes() >= options.messageBytesMax()) {
      replica.send(from, Digest.of(state, Message.FLAG_LOG_CUT).encode());
      return;
    }
    replica.retransmission().sendRepair(from, sections);
    if (!weLack.isEmpty()) {
      replica.send(from, Digest.of(state, 0).encode());
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

  private void dropWhatAllHave(List<Member> others) {
    List<VersionVector> all = new ArrayList<>();
    for (Member other : others) {
      VersionVector seen = lastSeen.get(other.id());
      if (seen == null) {
        return;
      }
      all.add(seen);
    }
    state
        .log()
        .dropWhileKnown(dot -> {
          for (VersionVector seen : all) {
            if (!seen.contains(dot.writer(), dot.sequence())) {
              return false;
            }
          }
          return true;
        });
  }

  private static long sizeOf(List<VersionVector.Span> spans) {
    long size = 0;
    for (VersionVector.Span span : spans) {
      size += span.range().size();
    }
    return size;
  }
}
