package org.terrace.protocols.correlated;

import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/**
 * CORBA's inter-ORB protocol, GIOP 1.0 to 1.3: a reply has the number of its request. A request's
 * name is its operation; one that expects no reply is none, and a reply with an exception, the
 * user's or the system's, is an error. Long messages come in fragments, which are parts of their
 * request or reply; those of version 1.1, which have no number, are passed over. Stateless.
 */
final class GiopFormat implements MessageFormat {
  static final int HEADER_BYTES = 12;

  private static final byte[] MAGIC = Ascii.of("GIOP");
  private static final int MINOR_MAX = 3;
  private static final int TYPE_MAX = 7;
  private static final int REQUEST = 0;
  private static final int REPLY = 1;
  private static final int LOCATE_REQUEST = 3;
  private static final int LOCATE_REPLY = 4;
  private static final int FRAGMENT = 7;
  private static final int LITTLE_ENDIAN = 1;
  private static final int MORE_FRAGMENTS = 2;
  private static final int LENGTH_MAX = 1 << 30;
  private static final int BYTES_READ = 2_048;
  private static final int CONTEXTS_MAX = 64;
  private static final int USER_EXCEPTION = 1;
  private static final int SYSTEM_EXCEPTION = 2;
  private static final int BY_KEY = 0;
  private static final int BY_PROFILE = 1;

  /** Whether a message may begin here, as far as its bytes are there. */
  static boolean isSound(byte[] bytes, int at, int to) {
    int count = to - at;
    for (int i = 0; i < Math.min(count, MAGIC.length); i++) {
      if (bytes[at + i] != MAGIC[i]) {
        return false;
      }
    }
    return (count < 5 || bytes[at + 4] == 1)
        && (count < 6 || (bytes[at + 5] >= 0 && bytes[at + 5] <= MINOR_MAX))
        && (count < 8 || (bytes[at + 7] >= 0 && bytes[at + 7] <= TYPE_MAX));
  }

  /** Whether only one side, or the other, sends messages of a type. */
  static boolean isOf(boolean ofClient, int type) {
    return ofClient
        ? type == REQUEST || type == LOCATE_REQUEST
        : type == REPLY || type == LOCATE_REPLY;
  }

  @Override
  public int headerBytes(boolean ofClient) {
    return HEADER_BYTES;
  }

  @Override
  public long header(boolean ofClient, byte[] bytes, int at, MessageHead into) {
    if (!isSound(bytes, at, at + HEADER_BYTES)) {
      return NO_MESSAGE;
    }
    int minor = bytes[at + 5];
    int flags = bytes[at + 6];
    into.kind = minor << 16 | (flags & 0xff) << 8 | bytes[at + 7];
    long length = number(into, bytes, at + 8, at + HEADER_BYTES);
    return length < 0 || length > LENGTH_MAX ? NO_MESSAGE : length;
  }

  private static int typeOf(MessageHead head) {
    return head.kind & 0xff;
  }

  private static int minorOf(MessageHead head) {
    return head.kind >>> 16;
  }

  private static boolean hasFlag(MessageHead head, int flag) {
    return (head.kind >>> 8 & flag) != 0;
  }

  /** An unsigned number of 32 bits in the order of the message's bytes; -1 if it is cut off. */
  private static long number(MessageHead head, byte[] bytes, int at, int to) {
    if (to - at < Integer.BYTES) {
      return -1;
    }
    int value = Bytes.i32(bytes, at);
    return Integer.toUnsignedLong(
        hasFlag(head, LITTLE_ENDIAN) ? Integer.reverseBytes(value) : value);
  }

  @Override
  public int bytesRead(boolean ofClient, MessageHead head) {
    return BYTES_READ;
  }

  @Override
  public void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {
    boolean numbered = minorOf(into) >= 2;
    int type = typeOf(into);
    into.answered = isOf(ofClient, type) || (type == FRAGMENT && numbered);
    if (!into.answered) {
      return;
    }
    boolean locates = type == LOCATE_REQUEST || type == LOCATE_REPLY;
    int at = numbered || locates ? from : behindContexts(into, bytes, from, to);
    into.id = number(into, bytes, at, to);
    if (into.id < 0) {
      into.answered = false;
      return;
    }
    into.more = !ofClient && numbered && hasFlag(into, MORE_FRAGMENTS);
    switch (type) {
      case REQUEST -> request(bytes, from, at + Integer.BYTES, to, into);
      case REPLY -> {
        long status = number(into, bytes, at + Integer.BYTES, to);
        into.failed = status == USER_EXCEPTION || status == SYSTEM_EXCEPTION;
      }
      case LOCATE_REQUEST -> into.name("LocateRequest");
      case FRAGMENT -> into.continues = ofClient;
      default -> {}
    }
  }

  private static void request(byte[] bytes, int from, int at, int to, MessageHead into) {
    if (at >= to) {
      return;
    }
    // The lowest bit was a truth value before it was one of the flags.
    into.answered = (bytes[at] & 1) != 0;
    int target = at + Integer.BYTES;
    int operation =
        minorOf(into) >= 2
            ? behindTarget(into, bytes, from, target, to)
            : behindBytes(into, bytes, from, target, to);
    long length = number(into, bytes, operation, to);
    int name = operation + Integer.BYTES;
    if (length > 1 && length <= to - name) {
      into.text(bytes, name, name + (int) length - 1);
    }
  }

  /** The index behind an object's address; {@code to} if it is of a kind that is not read. */
  private static int behindTarget(MessageHead head, byte[] bytes, int from, int at, int to) {
    if (to - at < Short.BYTES) {
      return to;
    }
    int first = hasFlag(head, LITTLE_ENDIAN) ? at : at + 1;
    return switch (bytes[first]) {
      case BY_KEY -> behindBytes(head, bytes, from, at + Integer.BYTES, to);
      case BY_PROFILE -> behindBytes(head, bytes, from, at + 2 * Integer.BYTES, to);
      default -> to;
    };
  }

  /** The index behind a length and as many bytes, where a number may begin. */
  private static int behindBytes(MessageHead head, byte[] bytes, int from, int at, int to) {
    long length = number(head, bytes, at, to);
    return length < 0 || length > to - at - Integer.BYTES
        ? to
        : aligned(from, at + Integer.BYTES + (int) length, to);
  }

  /** Numbers begin at multiples of four bytes, counted from the header, which is one itself. */
  private static int aligned(int from, int at, int to) {
    return Math.min(to, from + (at - from + 3 & ~3));
  }

  private static int behindContexts(MessageHead head, byte[] bytes, int from, int to) {
    long count = number(head, bytes, from, to);
    int at = from + Integer.BYTES;
    if (count < 0 || count > CONTEXTS_MAX) {
      return to;
    }
    for (long left = count; left > 0 && at < to; left--) {
      at = behindBytes(head, bytes, from, at + Integer.BYTES, to);
    }
    return at;
  }
}
