package org.terrace.collections;

import org.terrace.collections.replication.Reconciliation;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;

/**
 * What a replica does with the messages of others: applies updates and acknowledges them, and
 * passes on the rest to whom it concerns. Confined to the holder of the replica's lock.
 */
final class Reception {
  private final Replica replica;
  private final ReplicaState state;
  private final Scratch scratch;

  Reception(Replica replica, ReplicaState state, Scratch scratch) {
    this.replica = replica;
    this.state = state;
    this.scratch = scratch;
  }

  /**
   * Takes one message. To be called within a step.
   *
   * @throws MalformedDataException if it cannot be understood
   */
  void handle(Member from, Decoder in) {
    int kind = in.getByte();
    if (replica.antiEntropy().departure().isFrozen() && Message.bringsState(kind)) {
      return;
    }
    switch (kind) {
      case Message.DELTAS -> receiveDeltas(from, in);
      case Message.ACK -> replica.acknowledged(from, in.getUnsigned());
      case Message.REQUEST -> replica.retransmission().sendAgain(from, VersionVector.decode(in));
      case Message.DIGEST -> replica.antiEntropy().receiveDigest(from, in);
      case Message.SKETCH_REQUEST ->
          replica.antiEntropy().stateTransfer().receiveSketchRequest(from, in);
      case Message.SKETCH -> replica.antiEntropy().stateTransfer().receiveSketch(from, in);
      case Message.FETCH -> replica.antiEntropy().stateTransfer().receiveFetch(from, in);
      case Message.ENTRIES -> replica.antiEntropy().stateTransfer().receiveEntries(from, in);
      case Message.BULK_REQUEST ->
          replica.antiEntropy().stateTransfer().bulkSource().receiveRequest(from, in);
      case Message.BULK -> replica.antiEntropy().stateTransfer().receivePart(from, in);
      default -> replica.counters().malformedMessages++;
    }
  }

  private void receiveDeltas(Member from, Decoder in) {
    int flags = in.getByte();
    int applied =
        DeltaSections.forEach(
            in,
            (deltaWriter, number, delta) ->
                state.apply(deltaWriter, number, delta, replica.clock(), Message.causeOf(flags)));
    replica.counters().deltasApplied += applied;
    if ((flags & Message.FLAG_ACKNOWLEDGE) != 0) {
      acknowledge(from);
      SequenceSet sent = state.applied().known(from.id());
      if (sent.hasGaps()) {
        replica.retransmission().request(from, sent);
      }
    } else {
      replica.counters().deltasRepaired += applied;
      if (applied > 0) {
        acknowledgeAll();
        replica.reconciled(
            new Reconciliation(from.name(), Reconciliation.Kind.UPDATES, applied, 0));
      }
    }
  }

  private void acknowledge(Member to) {
    Encoder out = scratch.empty();
    out.putByte(Message.ACK);
    out.putUnsigned(state.applied().floor(to.id()));
    replica.send(to, out);
  }

  /** Tells every member how far its updates have been applied, after a repair. */
  void acknowledgeAll() {
    for (Member other : replica.view().others()) {
      acknowledge(other);
    }
  }
}
