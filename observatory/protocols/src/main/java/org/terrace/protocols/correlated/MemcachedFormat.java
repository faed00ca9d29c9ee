package org.terrace.protocols.correlated;

import org.terrace.wire.bytes.Bytes;

/**
 * Memcached's binary protocol: an answer has the opaque number and the operation of its request.
 * Quiet operations are answered only now and then, and are no requests. Stateless.
 */
final class MemcachedFormat implements MessageFormat {
  static final int REQUEST = 0x80;
  static final int RESPONSE = 0x81;
  private static final int HEADER_BYTES = 24;
  private static final int STATISTICS = 0x10;
  static final long LENGTH_MAX = 1L << 30;
  private static final int OPERATION_BITS = 32;

  /** The statuses that are no errors: it was found or not, stored or not. */
  private static final int[] ANSWERS_WITHOUT_ERROR = {0, 1, 2, 5};

  private static final String[] OPERATIONS = {
    "GET",
    "SET",
    "ADD",
    "REPLACE",
    "DELETE",
    "INCREMENT",
    "DECREMENT",
    "QUIT",
    "FLUSH",
    "",
    "NOOP",
    "VERSION",
    "GETK",
    "",
    "APPEND",
    "PREPEND",
    "STAT",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "VERBOSITY",
    "TOUCH",
    "GAT",
    "",
    "",
    "SASL LIST",
    "SASL AUTH",
    "SASL STEP"
  };

  /** Whether it may be the header of a message of one side, as far as it is there. */
  static boolean isSound(int magic, byte[] bytes, int from, int to) {
    int count = to - from;
    return count > 0
        && Bytes.u8(bytes, from) == magic
        && (count < 2 || Bytes.u8(bytes, from + 1) <= 0x48)
        && (count < 4 || Bytes.u16(bytes, from + 2) <= 250)
        && (count < 5 || Bytes.u8(bytes, from + 4) <= 24)
        && (count < 6 || bytes[from + 5] == 0);
  }

  @Override
  public int headerBytes(boolean ofClient) {
    return HEADER_BYTES;
  }

  @Override
  public long header(boolean ofClient, byte[] bytes, int at, MessageHead into) {
    int operation = Bytes.u8(bytes, at + 1);
    long length = Bytes.u32(bytes, at + 8);
    if (!isSound(ofClient ? REQUEST : RESPONSE, bytes, at, at + HEADER_BYTES)
        || length > LENGTH_MAX) {
      return NO_MESSAGE;
    }
    into.id = (long) operation << OPERATION_BITS | Bytes.u32(bytes, at + 12);
    String name = operation < OPERATIONS.length ? OPERATIONS[operation] : "";
    into.answered = !name.isEmpty();
    into.name(name);
    if (!ofClient) {
      into.more = operation == STATISTICS && length > 0;
      into.failed = isError(Bytes.u16(bytes, at + 6));
    }
    return length;
  }

  private static boolean isError(int status) {
    for (int answer : ANSWERS_WITHOUT_ERROR) {
      if (status == answer) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int bytesRead(boolean ofClient, MessageHead head) {
    return 0;
  }

  @Override
  public void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {}
}
