package org.terrace.protocols.decoder;

import org.terrace.protocols.decoder.DatabaseTurns.Turn;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.tcp.Moment;

/**
 * The beginning of a PostgreSQL connection, whose messages have no type: requests for encryption,
 * each answered by one byte, then the startup message or a cancel request. Confined to one thread.
 */
final class PostgresStartup {
  /** The server's answer to a request for encryption. */
  enum Answer {
    ACCEPTED,
    REFUSED,
    /** An error message follows, as from a server that does not know the request. */
    ERROR
  }

  static final int CODE_SSL = 80_877_103;
  static final int CODE_GSS = 80_877_104;
  static final int CODE_CANCEL = 80_877_102;
  static final int MESSAGE_BYTES_MAX = 10_000;
  private static final int HEADER_BYTES = 8;
  private static final int MAJOR_VERSION = 3;

  private final DecoderContext context;
  private final DatabaseTurns turns;
  private final byte[] header = new byte[HEADER_BYTES];
  private int headerLength;
  private int remaining;
  private long startNanos;
  private long startFrame;
  private boolean over;
  private boolean lastMessage;
  private boolean broken;
  private boolean cancel;
  private int answersAwaited;

  PostgresStartup(DecoderContext context, DatabaseTurns turns) {
    this.context = context;
    this.turns = turns;
  }

  /** Whether the bytes can be the first of a connection: a length and a known code. */
  static boolean looksLikeStart(byte[] bytes, int at) {
    int length = Bytes.i32(bytes, at);
    int code = Bytes.i32(bytes, at + 4);
    return switch (code) {
      case CODE_SSL, CODE_GSS -> length == HEADER_BYTES;
      case CODE_CANCEL -> length >= 16 && length <= MESSAGE_BYTES_MAX;
      default ->
          code >>> 16 == MAJOR_VERSION && length > HEADER_BYTES && length <= MESSAGE_BYTES_MAX;
    };
  }

  boolean isOver() {
    return over;
  }

  boolean isBroken() {
    return broken;
  }

  /** Whether the connection only asks to cancel what another one does. */
  boolean isCancel() {
    return cancel;
  }

  boolean awaitsAnswer() {
    return answersAwaited > 0;
  }

  /** Takes it that the beginning is over, because it was not seen. */
  void skip() {
    over = true;
    answersAwaited = 0;
  }

  Answer answer(int first) {
    answersAwaited--;
    return switch (first) {
      case 'S', 'G' -> Answer.ACCEPTED;
      case 'N' -> Answer.REFUSED;
      default -> {
        answersAwaited = 0;
        yield Answer.ERROR;
      }
    };
  }

  /** Takes the client's next bytes; returns the index after the last that belongs here. */
  int clientData(byte[] bytes, int from, int to, Moment moment) {
    int at = from;
    while (at < to && !over) {
      if (remaining > 0) {
        int count = Math.min(remaining, to - at);
        remaining -= count;
        at += count;
        over = remaining == 0 && lastMessage;
        requestEnds(moment);
      } else {
        if (headerLength == 0) {
          startNanos = moment.timeNanos();
          startFrame = moment.frame();
        }
        header[headerLength++] = bytes[at++];
        if (headerLength == HEADER_BYTES) {
          headerLength = 0;
          message();
          requestEnds(moment);
        }
      }
    }
    return at;
  }

  /** The startup message is the whole request of its turn, but for a password. */
  private void requestEnds(Moment moment) {
    Turn turn = turns.last();
    if (over && turn != null) {
      turn.requestEnds(moment.timeNanos(), moment.frame());
    }
  }

  private void message() {
    int length = Bytes.i32(header, 0);
    int code = Bytes.i32(header, 4);
    if (!looksLikeStart(header, 0)) {
      over = true;
      broken = true;
      return;
    }
    remaining = length - HEADER_BYTES;
    if (code == CODE_SSL || code == CODE_GSS) {
      answersAwaited++;
      return;
    }
    cancel = code == CODE_CANCEL;
    lastMessage = true;
    over = remaining == 0;
    Turn turn = turns.current(startNanos, startFrame);
    turn.bytesIn += length;
    turn.executed(context.classes.of(cancel ? "CANCEL REQUEST" : "CONNECT"));
    turn.closed = true;
  }
}
