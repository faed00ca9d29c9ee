package org.terrace.protocols.correlated;

import org.terrace.wire.bytes.Bytes;

/**
 * Thrift's messages in frames, in the binary and the compact form: an answer has the number of its
 * call. A call's name is its method, with its service where calls of several share a connection.
 * One-way calls are not answered; an exception, one that the method declares too, is an error.
 * Stateless.
 */
final class ThriftFormat implements MessageFormat {
  /** The length of the frame, and the first bytes of the message, which tell its form. */
  static final int HEADER_BYTES = 6;

  private static final int LENGTH_BYTES = 4;
  private static final int LENGTH_MAX = 256 << 20;
  private static final int BYTES_READ = 320;
  private static final int BINARY = 0x8001;
  private static final int COMPACT = 0x82;
  private static final int COMPACT_VERSION = 1;
  private static final int CALL = 1;
  private static final int REPLY = 2;
  private static final int EXCEPTION = 3;
  private static final int ONE_WAY = 4;
  private static final int NAME_BYTES_MAX = 255;
  private static final int STOP = 0;
  private static final long LOW_BITS = 0xffff_ffffL;

  /** Whether a frame may begin here, of the client or the server, as far as its bytes are there. */
  static boolean isSound(boolean ofClient, byte[] bytes, int at, int to, int lengthMax) {
    int count = to - at;
    if (count < HEADER_BYTES) {
      return bytes[at] >= 0 && bytes[at] <= LENGTH_MAX >>> 24;
    }
    long length = Bytes.u32(bytes, at);
    int form = Bytes.u16(bytes, at + LENGTH_BYTES);
    if (length < HEADER_BYTES || length > lengthMax) {
      return false;
    }
    if (form == BINARY) {
      return count < 8
          || (bytes[at + 6] == 0
              && isOf(ofClient, bytes[at + 7])
              && (count < 12 || isName(Bytes.u32(bytes, at + 8), length)));
    }
    return form >>> 8 == COMPACT
        && (form & 0x1f) == COMPACT_VERSION
        && isOf(ofClient, form >>> 5 & 7);
  }

  private static boolean isName(long bytes, long length) {
    return bytes > 0 && bytes <= NAME_BYTES_MAX && bytes < length;
  }

  private static boolean isOf(boolean ofClient, int type) {
    return ofClient ? type == CALL || type == ONE_WAY : type == REPLY || type == EXCEPTION;
  }

  @Override
  public int headerBytes(boolean ofClient) {
    return HEADER_BYTES;
  }

  @Override
  public long header(boolean ofClient, byte[] bytes, int at, MessageHead into) {
    if (!isSound(ofClient, bytes, at, at + HEADER_BYTES, LENGTH_MAX)) {
      return NO_MESSAGE;
    }
    into.kind = Bytes.u16(bytes, at + LENGTH_BYTES);
    return Bytes.u32(bytes, at) + LENGTH_BYTES - HEADER_BYTES;
  }

  @Override
  public int bytesRead(boolean ofClient, MessageHead head) {
    return BYTES_READ;
  }

  @Override
  public void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {
    boolean read =
        into.kind == BINARY
            ? binary(bytes, from, to, into)
            : compact(into.kind >>> 5 & 7, bytes, from, to, into);
    into.answered &= read;
  }

  private static boolean binary(byte[] bytes, int from, int to, MessageHead into) {
    int name = from + 6;
    if (to < name) {
      return false;
    }
    int type = bytes[from + 1];
    long nameBytes = Bytes.u32(bytes, from + 2);
    if (nameBytes > NAME_BYTES_MAX || to - name < nameBytes + Integer.BYTES) {
      return false;
    }
    int number = name + (int) nameBytes;
    into.id = Bytes.u32(bytes, number);
    into.text(bytes, name, number);
    int result = number + Integer.BYTES;
    boolean declared =
        to - result >= 3 && bytes[result] != STOP && Bytes.u16(bytes, result + 1) != 0;
    took(type, declared, into);
    return true;
  }

  private static boolean compact(int type, byte[] bytes, int from, int to, MessageHead into) {
    int length = behindNumber(bytes, from, to);
    int name = behindNumber(bytes, length, to);
    long nameBytes = name > to ? NAME_BYTES_MAX : number(bytes, length, name);
    if (nameBytes > to - name) {
      return false;
    }
    int result = name + (int) nameBytes;
    into.id = number(bytes, from, length) & LOW_BITS;
    into.text(bytes, name, result);
    took(type, isCompactException(bytes, result, to), into);
    return true;
  }

  /** Whether the first field of a result is not the one of its value, number zero. */
  private static boolean isCompactException(byte[] bytes, int at, int to) {
    if (to - at < 2 || bytes[at] == STOP) {
      return false;
    }
    boolean numberBehind = (bytes[at] & 0xf0) == 0;
    return !numberBehind || bytes[at + 1] != 0;
  }

  private static void took(int type, boolean declared, MessageHead into) {
    into.answered = type != ONE_WAY;
    into.failed = type == EXCEPTION || (type == REPLY && declared);
  }

  /** The index behind a number of seven bits a byte; beyond {@code to} if it is not all there. */
  private static int behindNumber(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] < 0) {
      at++;
    }
    return at + 1;
  }

  private static long number(byte[] bytes, int from, int to) {
    long value = 0;
    for (int at = Math.min(to, from + 5) - 1; at >= from; at--) {
      value = value << 7 | (bytes[at] & 0x7f);
    }
    return value;
  }
}
