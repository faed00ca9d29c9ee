package org.terrace.collections.replica;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.collections.gossip.Message;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.DeltaSections;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * Sending updates again that got lost on the way, while the log holds them: when the receiver sees
 * a gap and asks, and when it does not acknowledge. Confined to the holder of the replica's lock.
 */
final class Retransmission {
  private static final int BYTES_MAX = 64 << 10;

  /** The time that an answer to a request may take before the same is asked for again. */
  private static final long REQUEST_NANOS = 5_000_000;

  private static final int BACKOFF_TICKS_MAX = 64;

  /** The way to the others. */
  interface Network {
    void send(Member to, Encoder message);
  }

  private final long writer;
  private final ReplicaState state;
  private final Acknowledgements acknowledgements;
  private final Network network;
  private final Counters counters;
  private final Map<Long, Asked> asked = new HashMap<>();

  /** The fact that everything missing up to that update was asked for at that time. */
  private record Asked(long upTo, long nanos) {}

  Retransmission(
      long writer,
      ReplicaState state,
      Acknowledgements acknowledgements,
      Network network,
      Counters counters) {
    this.writer = writer;
    this.network = network;
    this.counters = counters;
    this.state = state;
    this.acknowledgements = acknowledgements;
  }

  /** Asks the sender for what is missing among its updates and was not asked for just now. */
  void request(long nowNanos, Member from, SequenceSet sent, View view) {
    Asked before = asked.get(from.id());
    if (before == null || nowNanos - before.nanos >= REQUEST_NANOS) {
      before = new Asked(0, nowNanos);
    }
    long first = before.upTo + 1;
    if (first > sent.last()) {
      return;
    }
    SequenceSet all = new SequenceSet();
    all.addRange(new SequenceSet.Range(first, sent.last()));
    List<SequenceSet.Range> missing = all.minus(sent);
    if (missing.isEmpty()) {
      return;
    }
    VersionVector wanted = new VersionVector();
    missing.forEach(wanted.of(from.id())::addRange);
    Encoder out = new Encoder();
    out.putByte(Message.REQUEST);
    wanted.encode(out);
    network.send(from, out);
    counters.requests++;
    asked.keySet().removeIf(id -> !view.contains(id));
    asked.put(from.id(), new Asked(sent.last(), before.nanos));
  }

  void sendAgain(Member to, VersionVector wanted) {
    DeltaSections sections = new DeltaSections();
    sections.addKnown(wanted.minus(new VersionVector()), state.log(), BYTES_MAX);
    sendDeltas(to, sections, Message.FLAG_ACKNOWLEDGE);
  }

  private void sendDeltas(Member to, DeltaSections sections, int flags) {
    if (!sections.isEmpty()) {
      network.send(to, sections.toMessage(Message.DELTAS, flags));
      counters.deltasResent += sections.size();
    }
  }

  /**
   * Sends again to each member what it has not acknowledged since the last tick, less and less
   * often: first one update alone, for the member may only be slow, and will ask if it lacks more.
   *
   * @param sentUpTo the last update that has been sent
   */
  void tick(long sentUpTo) {
    for (Acknowledgements.Peer peer : acknowledgements.peers()) {
      long from = Math.max(peer.floor, peer.joinedAt) + 1;
      if (from <= peer.resendUpTo && --peer.waitTicks < 0) {
        DeltaSections sections = new DeltaSections();
        SequenceSet.Range range = new SequenceSet.Range(from, peer.resendUpTo);
        sections.addKnown(
            List.of(new VersionVector.Span(writer, range)),
            state.log(),
            peer.probed ? BYTES_MAX : 1);
        sendDeltas(peer.member, sections, Message.FLAG_ACKNOWLEDGE);
        if (peer.probed) {
          peer.backoffTicks = Math.min(BACKOFF_TICKS_MAX, 2 * peer.backoffTicks + 1);
        }
        peer.probed = true;
        peer.waitTicks = peer.backoffTicks;
      }
      peer.resendUpTo = sentUpTo;
    }
  }
}
