package org.terrace.wire.tcp;

import java.util.Arrays;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

/**
 * Puts the bytes of each direction of a connection in order and hands them on: at once and in place
 * when they come in order, from copies when they came too early. A stretch counts as missing as
 * soon as the other side acknowledges it, when what waits behind it outgrows its limit, or when the
 * connection ends. Of bytes seen twice the first count. Confined to one thread.
 */
final class StreamOrder {
  private final TcpLimits limits;
  private final Counters counters;
  private final Conversations conversations;
  private final Moment earlier = new Moment();
  private long heldBytes;

  StreamOrder(TcpLimits limits, Counters counters, Conversations conversations) {
    this.limits = limits;
    this.counters = counters;
    this.conversations = conversations;
  }

  /** Takes in the payload of a packet, at a sequence number. */
  void segment(
      Connection connection,
      int direction,
      int sequence,
      PacketParser packet,
      byte[] bytes,
      Moment moment) {
    HalfStream stream = connection.streams[direction];
    int offset = packet.payloadOffset();
    int captured = packet.payloadCaptured();
    int length = packet.payloadBytes();
    stream.startAt(sequence);
    int ahead = sequence - stream.next;
    if (ahead <= 0) {
      if (ahead < 0) {
        if (ahead + length <= 0) {
          counters.increment(WireCount.RETRANSMITTED_SEGMENTS);
          return;
        }
        offset -= ahead;
        captured = Math.max(0, captured + ahead);
        length += ahead;
      }
      deliver(connection, direction, bytes, offset, captured, length, moment);
      if (stream.first != null) {
        drain(connection, direction);
      }
      checkFin(connection, direction, moment);
      return;
    }
    counters.increment(WireCount.REORDERED_SEGMENTS);
    boolean room =
        stream.mayHoldMore()
            && stream.heldBytes + captured <= limits.streamBufferBytesMax()
            && heldBytes + captured <= limits.bufferBytesMax();
    if (!room) {
      advance(connection, direction, stream.endOfHeld(), moment);
      if (sequence - stream.next > 0) {
        advance(connection, direction, sequence, moment);
      }
      segment(connection, direction, sequence, packet, bytes, moment);
      return;
    }
    if (stream.first == null) {
      stream.heldAfterNanos = connection.seenBeforeNanos;
    }
    byte[] copy = Arrays.copyOfRange(bytes, offset, offset + captured);
    stream.hold(new Segment(sequence, copy, length, moment));
    heldBytes += captured;
  }

  /** The receiver of a direction has everything before a sequence number. */
  void acknowledged(Connection connection, int direction, int acknowledgement, Moment moment) {
    HalfStream stream = connection.streams[direction];
    stream.startAt(acknowledgement);
    int unseen = acknowledgement - stream.next;
    if (unseen <= 0 || unseen > HalfStream.JUMP_BYTES_MAX) {
      return;
    }
    if (stream.finSeen && acknowledgement - stream.finSequence > 0) {
      advance(connection, direction, stream.finSequence, moment);
    } else if (unseen > 1 || stream.first != null) {
      // A single byte may be a FIN that was not captured.
      advance(connection, direction, acknowledgement, moment);
    }
    checkFin(connection, direction, moment);
  }

  /** The sender of a direction finishes it at a sequence number. */
  void fin(Connection connection, int direction, int sequence, Moment moment) {
    HalfStream stream = connection.streams[direction];
    stream.startAt(sequence);
    if (!stream.finSeen && sequence - stream.next >= 0) {
      stream.finSeen = true;
      stream.finSequence = sequence;
    }
    checkFin(connection, direction, moment);
  }

  /** Hands on everything that is held, with what is missing in between. */
  void flush(Connection connection, Moment moment) {
    for (int direction = 0; direction <= 1; direction++) {
      advance(connection, direction, connection.streams[direction].endOfHeld(), moment);
    }
  }

  /** Gives up what a connection holds. */
  void release(Connection connection) {
    for (HalfStream stream : connection.streams) {
      heldBytes -= stream.heldBytes;
      while (stream.first != null) {
        stream.takeFirst();
      }
    }
  }

  private void checkFin(Connection connection, int direction, Moment moment) {
    HalfStream stream = connection.streams[direction];
    if (stream.finSeen && !stream.finished && stream.next == stream.finSequence) {
      stream.finished = true;
      stream.next++;
      Conversation conversation = connection.conversation;
      if (conversation != null) {
        conversation.finished(direction, moment);
      }
    }
  }

  private void deliver(
      Connection connection,
      int direction,
      byte[] bytes,
      int offset,
      int captured,
      int length,
      Moment moment) {
    Conversation conversation = conversation(connection);
    if (captured > 0) {
      conversation.data(direction, bytes, offset, offset + captured, moment);
    }
    if (length > captured) {
      conversation.missing(direction, length - captured, moment);
    }
    HalfStream stream = connection.streams[direction];
    stream.next += length;
    stream.streamBytes += length;
  }

  private Conversation conversation(Connection connection) {
    Conversation conversation = connection.conversation;
    if (conversation == null) {
      conversation = conversations.open(connection);
      connection.conversation = conversation;
    }
    return conversation;
  }

  /** Hands on the held segments that follow without a gap. */
  private void drain(Connection connection, int direction) {
    HalfStream stream = connection.streams[direction];
    while (stream.first != null && stream.first.sequence - stream.next <= 0) {
      Segment held = stream.takeFirst();
      heldBytes -= held.captured.length;
      int seen = stream.next - held.sequence;
      if (seen < held.length) {
        int captured = Math.max(0, held.captured.length - seen);
        int length = held.length - seen;
        earlier.set(held.timeNanos, held.frame);
        deliver(connection, direction, held.captured, seen, captured, length, earlier);
      }
    }
  }

  /** Goes on to a sequence number, with what is held and with gaps where nothing is. */
  private void advance(Connection connection, int direction, int target, Moment moment) {
    HalfStream stream = connection.streams[direction];
    drain(connection, direction);
    while (target - stream.next > 0) {
      Segment held = stream.first;
      int until = held != null && held.sequence - target < 0 ? held.sequence : target;
      int missing = until - stream.next;
      // What is missing was sent before what is held behind it.
      long missedNanos = moment.timeNanos();
      long missedFrame = moment.frame();
      if (held != null && held.timeNanos < missedNanos) {
        missedNanos = held.timeNanos;
        missedFrame = held.frame;
      }
      counters.increment(WireCount.GAPS);
      counters.add(WireCount.GAP_BYTES, missing);
      long seenNanos = held == null ? connection.seenBeforeNanos : stream.heldAfterNanos;
      connection.lost(Math.min(seenNanos, missedNanos), missedNanos);
      earlier.set(missedNanos, missedFrame);
      conversation(connection).missing(direction, missing, earlier);
      stream.streamBytes += missing;
      stream.next = until;
      drain(connection, direction);
    }
  }
}
