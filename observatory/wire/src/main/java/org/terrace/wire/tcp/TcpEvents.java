package org.terrace.wire.tcp;

import java.util.ArrayList;
import java.util.List;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.tcp.TcpEvent.Kind;

/**
 * Finds what TCP had to do beyond carrying data: send again, wait for room, break off, ask twice
 * (docs/decisions/0278). Keeps at most {@value #KEPT_MAX} of each kind and counts the rest.
 * Confined to one thread.
 */
public final class TcpEvents {
  /** Events of one kind that are kept. */
  static final int KEPT_MAX = 10_000;

  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int ACK = 0x10;

  /**
   * A kernel waits at least 200 ms for an acknowledgement before it sends again (Linux {@code
   * TCP_RTO_MIN}), but for its clock's grain.
   */
  private static final long TIMEOUT_NANOS = 190_000_000L;

  /** Packets that pass each other on their way come at most this far apart. */
  private static final long REORDERED_NANOS = 3_000_000L;

  private static final Kind[] KINDS = Kind.values();

  private final List<List<TcpEvent>> kept = new ArrayList<>();
  private long untold;

  TcpEvents() {
    for (int i = 0; i < KINDS.length; i++) {
      kept.add(new ArrayList<>());
    }
  }

  /** Takes in a packet of a connection that is open, before its bytes are put in order. */
  void packet(Connection connection, int direction, PacketParser packet, Moment moment) {
    int flags = packet.flags();
    HalfStream stream = connection.streams[direction];
    if ((flags & RST) != 0) {
      reset(connection, direction, moment);
    } else if ((flags & SYN) != 0) {
      if (stream.synSeen && stream.sentNanos != HalfStream.NEVER) {
        Kind kind = (flags & ACK) == 0 ? Kind.REPEATED_SYN : Kind.REPEATED_SYN_ACK;
        add(kind, connection, direction, stream.sentNanos, moment);
      }
      stream.sentNanos = moment.timeNanos();
    } else {
      window(connection, direction, packet, moment);
      if (packet.payloadBytes() > 0) {
        data(connection, direction, packet, moment);
      }
    }
  }

  private void reset(Connection connection, int direction, Moment moment) {
    HalfStream asking = connection.streams[1 - direction];
    boolean refused = asking.synSeen && !connection.streams[direction].started;
    if (refused && connection.openerDirection == 1 - direction) {
      add(Kind.REFUSED, connection, direction, asking.sentNanos, moment);
    } else {
      add(Kind.RESET, connection, direction, moment.timeNanos(), moment);
    }
  }

  private void window(Connection connection, int direction, PacketParser packet, Moment moment) {
    HalfStream stream = connection.streams[direction];
    if (packet.window() == 0 && (packet.flags() & FIN) == 0) {
      if (stream.fullSinceNanos == HalfStream.NEVER) {
        stream.fullSinceNanos = moment.timeNanos();
      }
    } else {
      windowOpens(connection, direction, moment);
    }
  }

  private void windowOpens(Connection connection, int direction, Moment moment) {
    HalfStream stream = connection.streams[direction];
    if (stream.fullSinceNanos != HalfStream.NEVER) {
      add(Kind.ZERO_WINDOW, connection, direction, stream.fullSinceNanos, moment);
      stream.fullSinceNanos = HalfStream.NEVER;
    }
  }

  private void data(Connection connection, int direction, PacketParser packet, Moment moment) {
    HalfStream stream = connection.streams[direction];
    long sinceNanos = moment.timeNanos() - stream.sentNanos;
    // One byte alone asks whether the other side is still there, or whether its window is open.
    if (stream.sentNanos != HalfStream.NEVER
        && stream.started
        && packet.payloadBytes() > 1
        && isAgain(stream, packet, sinceNanos)) {
      Kind kind = sinceNanos >= TIMEOUT_NANOS ? Kind.TIMEOUT : Kind.RETRANSMISSION;
      add(kind, connection, direction, stream.sentNanos, moment);
    }
    stream.sentNanos = moment.timeNanos();
  }

  /** Whether data were sent before, also where only later ones were seen, and long ago. */
  private static boolean isAgain(HalfStream stream, PacketParser packet, long sinceNanos) {
    int end = packet.sequence() + packet.payloadBytes();
    boolean seen = end - stream.next <= 0 && end - stream.next > -HalfStream.JUMP_BYTES_MAX;
    return seen || (stream.isBehindFurthest(end) && sinceNanos > REORDERED_NANOS);
  }

  /** A connection ends, and with it the wait for room. */
  void end(Connection connection, Moment moment) {
    windowOpens(connection, 0, moment);
    windowOpens(connection, 1, moment);
  }

  private void add(
      Kind kind, Connection connection, int direction, long startNanos, Moment moment) {
    List<TcpEvent> ofKind = kept.get(kind.ordinal());
    if (ofKind.size() >= KEPT_MAX) {
      untold++;
      return;
    }
    int opener = connection.openerDirection;
    boolean opened =
        opener == Connection.UNKNOWN
            ? connection.senderPort(direction) >= connection.senderPort(1 - direction)
            : opener == direction;
    ofKind.add(
        new TcpEvent(
            kind,
            connection.number(),
            connection.sender(direction),
            connection.senderPort(direction),
            connection.sender(1 - direction),
            connection.senderPort(1 - direction),
            opened,
            Math.min(startNanos, moment.timeNanos()),
            moment.timeNanos(),
            moment.frame()));
  }

  /** The events, kind by kind, each in the order in which it showed. */
  public List<TcpEvent> all() {
    return kept.stream().flatMap(List::stream).toList();
  }

  /** The number of events beyond those that are kept. */
  public long untold() {
    return untold;
  }
}
