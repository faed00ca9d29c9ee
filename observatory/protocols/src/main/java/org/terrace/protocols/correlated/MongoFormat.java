package org.terrace.protocols.correlated;

/**
 * MongoDB's wire protocol: an answer names the number of its request. A request's name is its
 * command, the first element of its document; one that asks for no answer is none. Stateless.
 */
final class MongoFormat implements MessageFormat {
  static final int HEADER_BYTES = 16;
  private static final int OP_REPLY = 1;
  private static final int OP_QUERY = 2004;
  private static final int OP_COMPRESSED = 2012;
  private static final int OP_MSG = 2013;
  private static final int LENGTH_MAX = 48 << 20;
  private static final int BYTES_READ = 512;
  private static final int NUMBER_BYTES = 4;
  private static final int MORE_TO_COME = 2;
  private static final int BODY = 0;
  private static final int TYPE_DOUBLE = 1;
  private static final int TYPE_INT = 16;
  private static final int QUERY_NUMBERS_BYTES = 8;
  private static final int REPLY_NUMBERS_BYTES = 20;
  private static final long LOW_BITS = 0xffff_ffffL;

  /** A number in a range, the lowest byte first; 0 if it is not all there. */
  static int number(byte[] bytes, int at, int to) {
    if (to - at < NUMBER_BYTES) {
      return 0;
    }
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | bytes[at + 3] << 24;
  }

  /** Whether it is a header of one side. */
  static boolean isSound(boolean ofClient, byte[] bytes, int at, int to) {
    int length = number(bytes, at, to);
    int operation = number(bytes, at + 12, to);
    boolean known =
        operation == OP_MSG
            || operation == OP_COMPRESSED
            || operation == (ofClient ? OP_QUERY : OP_REPLY);
    boolean answers = number(bytes, at + 8, to) != 0;
    return known && answers != ofClient && length > HEADER_BYTES && length <= LENGTH_MAX;
  }

  @Override
  public int headerBytes(boolean ofClient) {
    return HEADER_BYTES;
  }

  @Override
  public long header(boolean ofClient, byte[] bytes, int at, MessageHead into) {
    int to = at + HEADER_BYTES;
    if (!isSound(ofClient, bytes, at, to)) {
      return NO_MESSAGE;
    }
    into.id = number(bytes, ofClient ? at + 4 : at + 8, to) & LOW_BITS;
    into.kind = number(bytes, at + 12, to);
    return (long) number(bytes, at, to) - HEADER_BYTES;
  }

  @Override
  public int bytesRead(boolean ofClient, MessageHead head) {
    return BYTES_READ;
  }

  @Override
  public void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {
    int document =
        switch (into.kind) {
          case OP_MSG -> messageDocument(ofClient, bytes, from, to, into);
          case OP_QUERY -> queryDocument(bytes, from, to);
          case OP_REPLY -> from + REPLY_NUMBERS_BYTES;
          default -> to;
        };
    int element = document + NUMBER_BYTES;
    if (into.kind == OP_COMPRESSED) {
      into.name("(compressed)");
    } else if (element < to) {
      if (ofClient) {
        into.name(bytes, element + 1, to);
      } else {
        into.failed = isFailure(bytes, element, to);
      }
    }
  }

  private static int messageDocument(
      boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {
    boolean more = (number(bytes, from, to) & MORE_TO_COME) != 0;
    if (ofClient) {
      into.answered = !more;
    } else {
      into.follows = more;
    }
    int section = from + NUMBER_BYTES;
    return section < to && bytes[section] == BODY ? section + 1 : to;
  }

  /** Behind flags, the name of a collection, and two numbers. */
  private static int queryDocument(byte[] bytes, int from, int to) {
    int at = from + NUMBER_BYTES;
    while (at < to && bytes[at] != 0) {
      at++;
    }
    return at + 1 + QUERY_NUMBERS_BYTES;
  }

  /** Whether a document begins with an {@code ok} that is zero, as those of failures do. */
  private static boolean isFailure(byte[] bytes, int element, int to) {
    boolean ok =
        to - element > NUMBER_BYTES
            && bytes[element + 1] == 'o'
            && bytes[element + 2] == 'k'
            && bytes[element + 3] == 0;
    int valueBytes =
        bytes[element] == TYPE_DOUBLE ? 8 : bytes[element] == TYPE_INT ? NUMBER_BYTES : 0;
    int value = element + NUMBER_BYTES;
    if (!ok || valueBytes == 0 || to - value < valueBytes) {
      return false;
    }
    for (int i = 0; i < valueBytes; i++) {
      if (bytes[value + i] != 0) {
        return false;
      }
    }
    return true;
  }
}
