package org.terrace.wire.tcp;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.packet.PacketParser;

/** One direction of a connection: what comes next, and what came too early. */
final class HalfStream {
  /** More held segments than this count as a gap, so that finding a place among them is bounded. */
  private static final int HELD_SEGMENTS_MAX = 1024;

  /** No window reaches further; a sequence number beyond is another connection's. */
  static final int JUMP_BYTES_MAX = 64 << 20;

  /**
   * A packet that comes another way tells the bytes around those that were seen. Two connections of
   * equal endpoints are this near each other by a chance of one in 260,000 where nothing makes them
   * so; within one kernel its clock does.
   */
  private static final int NEAR_BYTES_MAX = 4 << 20;

  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int ACK = 0x10;

  /** Copies of one packet come at most this far apart; retransmissions come later. */
  private static final long DUPLICATE_NANOS_MAX = 1_000_000;

  /** A moment that has not come. */
  static final long NEVER = Long.MIN_VALUE;

  boolean started;
  int next;

  /** The time at which it last sent data, or asked for the connection or granted it. */
  long sentNanos = NEVER;

  /** The time since which its sender has had no room for what comes from the other side. */
  long fullSinceNanos = NEVER;

  boolean synSeen;
  int synSequence;
  boolean finSeen;
  int finSequence;
  boolean finished;
  long heldBytes;

  /** Bytes handed on, those that were not captured among them. */
  long streamBytes;

  /** The last packet of the connection before the first of the held segments. */
  long heldAfterNanos;

  @Nullable Segment first;

  private @Nullable Segment last;
  private int heldSegments;

  private int lastSequence;
  private int lastAcknowledgement;
  private int lastShape;
  private int lastIdentification;
  private long lastTimeNanos = Long.MIN_VALUE;

  /** The tunnels through which the furthest packet came; zero if through none. */
  private int path;

  /** The last route through tunnels; zero if none. */
  int route;

  private boolean spoken;
  private int furthestSequence;

  /** Whether a packet of it acknowledged anything, for numbers have no first one. */
  private boolean acknowledged;

  private int furthestAcknowledgement;

  /**
   * Whether a packet is one that was seen inside or outside of a tunnel before: it came another way
   * than the furthest so far, and says nothing that was not said. A packet that was sent again
   * shows on the same way first.
   */
  boolean isCopy(PacketParser packet) {
    return packet.path() != path && spoken && isKnown(packet);
  }

  private boolean isKnown(PacketParser packet) {
    int flags = packet.flags();
    if ((flags & (SYN | RST)) != 0) {
      return (flags & RST) == 0 && synSeen && synSequence == packet.sequence();
    }
    boolean finishes = (flags & FIN) != 0 && !finSeen;
    int end = packet.sequence() + packet.payloadBytes();
    boolean told = packet.payloadBytes() == 0 || isSeen(packet.sequence(), end);
    return told
        && !finishes
        && isBehind(end, furthestSequence)
        && ((flags & ACK) == 0
            || (acknowledged && isBehind(packet.acknowledgement(), furthestAcknowledgement)));
  }

  private static boolean isBehind(int number, int furthest) {
    int before = furthest - number;
    return before >= 0 && before < JUMP_BYTES_MAX;
  }

  /**
   * Whether bytes were handed on, or are held. That later ones were seen says nothing of them,
   * since a capture may lose a packet on one way and not on the other.
   */
  private boolean isSeen(int from, int end) {
    int unseen = started && from - next < 0 ? next : from;
    for (Segment at = first; at != null && at.sequence - unseen <= 0; at = at.next) {
      int segmentEnd = at.sequence + at.length;
      unseen = segmentEnd - unseen > 0 ? segmentEnd : unseen;
    }
    return end - unseen <= 0;
  }

  /** Whether a packet of this direction goes on with what both directions said. */
  boolean fits(PacketParser packet, HalfStream other) {
    int flags = packet.flags();
    int sequence = packet.sequence();
    boolean acknowledges = (flags & ACK) != 0;
    if ((flags & SYN) != 0) {
      boolean answers = acknowledges && other.synSeen;
      return synSeen
          ? synSequence == sequence
          : answers
              ? packet.acknowledgement() == other.synSequence + 1
              : started && sequence + 1 == next;
    }
    if ((flags & RST) != 0 && acknowledges && !started) {
      // Who refuses a connection has no sequence numbers of its own.
      return other.isNear(packet.acknowledgement());
    }
    return (started || other.started)
        && (!started || isNear(sequence))
        && (!acknowledges || !other.started || other.isNear(packet.acknowledgement()));
  }

  private boolean isNear(int sequence) {
    return Math.abs((long) (sequence - next)) <= NEAR_BYTES_MAX && !isBeforeSyn(sequence);
  }

  /**
   * Whether a near sequence number is before the SYN. Once more was seen than is near, none is; and
   * behind half of the circle of numbers, all that come would seem to be.
   */
  private boolean isBeforeSyn(int sequence) {
    return synSeen && streamBytes <= NEAR_BYTES_MAX && sequence - synSequence < 0;
  }

  /** Whether a packet carries only data seen before, and acknowledges nothing new. */
  boolean repeats(PacketParser packet) {
    int end = packet.sequence() + packet.payloadBytes();
    boolean further = !spoken || end - furthestSequence > 0;
    boolean acknowledges = acknowledgesFurther(packet);
    boolean repeats = packet.payloadBytes() > 0 && !further && !acknowledges;
    path = further || acknowledges ? packet.path() : path;
    furthestSequence = further ? end : furthestSequence;
    furthestAcknowledgement = acknowledges ? packet.acknowledgement() : furthestAcknowledgement;
    acknowledged |= acknowledges;
    spoken = true;
    return repeats;
  }

  /** Whether it acknowledges more than was; what opens a connection acknowledges nothing. */
  private boolean acknowledgesFurther(PacketParser packet) {
    return (packet.flags() & ACK) != 0
        && (!acknowledged || packet.acknowledgement() - furthestAcknowledgement > 0);
  }

  /** Whether a packet of it was seen. */
  boolean hasShown() {
    return spoken || route != 0;
  }

  /** Whether a sequence number is not beyond the furthest that was seen. */
  boolean isBehindFurthest(int sequence) {
    return spoken && sequence - furthestSequence <= 0;
  }

  /** Starts at a sequence number, unless it has started. */
  void startAt(int sequence) {
    if (!started) {
      started = true;
      next = sequence;
    }
  }

  /** Whether this is the packet seen last once more; remembers it otherwise. */
  boolean isDuplicate(int sequence, int acknowledgement, int shape, int identification, long time) {
    if (sequence == lastSequence
        && acknowledgement == lastAcknowledgement
        && shape == lastShape
        && identification == lastIdentification
        && lastTimeNanos != Long.MIN_VALUE
        && time - lastTimeNanos < DUPLICATE_NANOS_MAX) {
      return true;
    }
    lastSequence = sequence;
    lastAcknowledgement = acknowledgement;
    lastShape = shape;
    lastIdentification = identification;
    lastTimeNanos = time;
    return false;
  }

  /** Whether a SYN cannot belong to this direction, whose own was not seen. */
  boolean conflicts(PacketParser syn) {
    return started && syn.sequence() + 1 != next;
  }

  /** Whether a sequence number is too far from what comes next to belong to this connection. */
  boolean isFarFrom(int sequence) {
    return started && Math.abs((long) (sequence - next)) > JUMP_BYTES_MAX;
  }

  boolean mayHoldMore() {
    return heldSegments < HELD_SEGMENTS_MAX;
  }

  /** Holds a segment in the order of sequence numbers. */
  void hold(Segment segment) {
    heldSegments++;
    heldBytes += segment.captured.length;
    Segment tail = last;
    if (tail == null) {
      first = segment;
      last = segment;
    } else if (segment.sequence - tail.sequence >= 0) {
      tail.next = segment;
      last = segment;
    } else {
      insert(segment);
    }
  }

  private void insert(Segment segment) {
    Segment before = null;
    Segment at = first;
    while (at != null && at.sequence - segment.sequence <= 0) {
      before = at;
      at = at.next;
    }
    segment.next = at;
    if (before == null) {
      first = segment;
    } else {
      before.next = segment;
    }
  }

  /** Takes the first held segment, which must be there. */
  Segment takeFirst() {
    Segment taken = Objects.requireNonNull(first);
    first = taken.next;
    if (first == null) {
      last = null;
    }
    heldSegments--;
    heldBytes -= taken.captured.length;
    return taken;
  }

  /** The sequence number after the last held byte; {@link #next} when nothing is held. */
  int endOfHeld() {
    int end = next;
    for (Segment at = first; at != null; at = at.next) {
      int segmentEnd = at.sequence + at.length;
      end = segmentEnd - end > 0 ? segmentEnd : end;
    }
    return end;
  }
}
