package org.terrace.protocols.decoder;

import java.util.Arrays;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.tcp.Moment;

/**
 * One direction of a PostgreSQL connection as messages: a type, a length and a body (PostgreSQL
 * documentation, "Frontend/Backend Protocol"). Messages are read where they lie; of one that is cut
 * by the end of its segment only what matters is copied. Confined to one thread.
 */
abstract class PostgresStream {
  /** The part of a message that is kept when it does not lie in one segment. */
  static final int KEPT_BYTES_MAX = 64 << 10;

  private static final int HEADER_BYTES = 5;
  private static final int MESSAGE_BYTES_MAX = 1 << 30;
  private static final byte[] NOTHING = {};

  final DecoderContext context;
  boolean lost;
  long lastNanos;
  long lastFrame;
  private final byte[] header = new byte[HEADER_BYTES];
  private int headerLength;
  private int type;
  private boolean inBody;
  private long remaining;

  /** When the message that is being read began. */
  long startNanos;

  long startFrame;
  private int length;
  private byte[] kept = NOTHING;
  private int keptLength;
  private boolean keeping;

  PostgresStream(DecoderContext context) {
    this.context = context;
  }

  /** Whether there is a message of this type. */
  abstract boolean isType(int type);

  /** Whether the body of a message of this type matters. */
  abstract boolean matters(int type);

  /** A message begins. */
  abstract void begins(int type, int length);

  /**
   * A message is complete.
   *
   * @param bytes an array with the body, or its beginning when it is long or partly missing; empty
   *     when it does not matter
   */
  abstract void message(int type, byte[] bytes, int from, int to);

  /** The stream breaks the protocol, or too much of it is missing. */
  abstract void broken(boolean byGap);

  /** Takes the next bytes; returns where it stopped, which is the end unless lost. */
  final void accept(byte[] bytes, int from, int to, Moment moment) {
    seen(moment);
    int at = from;
    while (at < to && !lost) {
      if (inBody) {
        at = body(bytes, at, to);
      } else if (headerLength == 0 && to - at >= HEADER_BYTES) {
        startsAt(moment);
        if (!header(bytes, at)) {
          return;
        }
        at += HEADER_BYTES;
        int bodyLength = length - 4;
        if (bodyLength <= to - at) {
          inBody = false;
          message(type, bytes, at, at + bodyLength);
          at += bodyLength;
        }
      } else {
        at = partialHeader(bytes, at, moment);
      }
    }
  }

  private void seen(Moment moment) {
    if (moment.timeNanos() >= lastNanos) {
      lastNanos = moment.timeNanos();
      lastFrame = moment.frame();
    }
  }

  private void startsAt(Moment moment) {
    startNanos = moment.timeNanos();
    startFrame = moment.frame();
  }

  private int partialHeader(byte[] bytes, int at, Moment moment) {
    if (headerLength == 0) {
      startsAt(moment);
    }
    header[headerLength++] = bytes[at];
    if (headerLength == HEADER_BYTES) {
      headerLength = 0;
      if (header(header, 0) && length == 4) {
        inBody = false;
        message(type, NOTHING, 0, 0);
      }
    }
    return at + 1;
  }

  private boolean header(byte[] bytes, int at) {
    type = bytes[at];
    length = Bytes.i32(bytes, at + 1);
    if (!isType(type) || length < 4 || length > MESSAGE_BYTES_MAX) {
      broken(false);
      return false;
    }
    begins(type, length + 1);
    inBody = true;
    remaining = length - 4L;
    keeping = matters(type);
    keptLength = 0;
    return true;
  }

  private int body(byte[] bytes, int at, int to) {
    int count = (int) Math.min(remaining, to - at);
    if (keeping) {
      keep(bytes, at, count);
    }
    pass(count);
    return at + count;
  }

  private void keep(byte[] bytes, int at, int count) {
    int taken = Math.min(count, KEPT_BYTES_MAX - keptLength);
    int needed = keptLength + taken;
    if (needed > kept.length) {
      int capacity = Math.max(128, Integer.highestOneBit(needed) * 2);
      if (!context.memory.take(capacity - kept.length)) {
        keeping = false;
        return;
      }
      kept = Arrays.copyOf(kept, capacity);
    }
    System.arraycopy(bytes, at, kept, keptLength, taken);
    keptLength += taken;
  }

  private void pass(long count) {
    remaining -= count;
    if (remaining == 0) {
      inBody = false;
      byte[] body = kept;
      int bodyLength = keptLength;
      release();
      message(type, body, 0, bodyLength);
    }
  }

  /** The next bytes were not captured. */
  final void missing(long byteCount, Moment moment) {
    seen(moment);
    if (lost) {
      return;
    }
    if (inBody && byteCount <= remaining) {
      keeping = false;
      pass(byteCount);
    } else {
      broken(true);
    }
  }

  /** Whether the stream stands between two messages. */
  final boolean isBetweenMessages() {
    return !lost && !inBody && headerLength == 0;
  }

  /** Waits for something that tells where messages begin. */
  final void lose() {
    lost = true;
    inBody = false;
    headerLength = 0;
    release();
  }

  /** Messages begin with the next byte. */
  final void found() {
    lost = false;
    inBody = false;
    headerLength = 0;
  }

  final void release() {
    context.memory.giveBack(kept.length);
    kept = NOTHING;
    keptLength = 0;
  }
}
