package org.terrace.collections.gossip;

import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.ClocksTold;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The summary of a replica's state that it sends to another in a round of gossip. Immutable by
 * convention: the vector is not changed after it was decoded.
 *
 * @param flags see {@link Message}
 * @param applied what it has applied
 * @param supersededAhead number of puts it knows to be superseded and does not have
 * @param fingerprint the sum of the fingerprints of its live entries
 * @param entries the number of its live entries
 * @param clocks its clocks; of a course of their own members of earlier builds say and read nothing
 */
record Digest(
    int flags,
    VersionVector applied,
    long supersededAhead,
    long fingerprint,
    long entries,
    ClocksTold clocks) {
  static Digest of(ReplicaState state, int flags, ClocksTold clocks) {
    return new Digest(
        flags,
        state.applied(),
        state.supersededAhead().size(),
        state.fingerprint(),
        state.entries(),
        clocks);
  }

  Encoder encode() {
    Encoder out = new Encoder();
    out.putByte(Message.DIGEST);
    out.putByte(flags);
    applied.encode(out);
    out.putUnsigned(supersededAhead);
    out.putFixedLong(fingerprint);
    out.putUnsigned(entries);
    out.putFixedLong(clocks.wallMillis());
    if (clocks.isSettled()) {
      out.putFixedLong(clocks.agreedMillis());
      out.putFixedLong(clocks.targetMillis());
      out.putByte(clocks.standing());
    }
    return out;
  }

  static Digest decode(Decoder in) {
    return new Digest(
        in.getByte(),
        VersionVector.decode(in),
        in.getUnsigned(),
        in.getFixedLong(),
        in.getUnsigned(),
        decodeClocks(in));
  }

  private static ClocksTold decodeClocks(Decoder in) {
    long wallMillis = in.getFixedLong();
    if (in.remaining() == 0) {
      return ClocksTold.ofWall(wallMillis);
    }
    long agreedMillis = in.getFixedLong();
    long targetMillis = in.getFixedLong();
    int standing = Math.min(in.getByte(), ClocksTold.LASTING);
    return new ClocksTold(wallMillis, standing, agreedMillis, targetMillis);
  }

  boolean wantsAnswer() {
    return (flags & Message.FLAG_ANSWER) != 0;
  }

  boolean wantsDigest() {
    return (flags & Message.FLAG_TELL) != 0;
  }

  boolean saysLogCut() {
    return (flags & Message.FLAG_LOG_CUT) != 0;
  }
}
