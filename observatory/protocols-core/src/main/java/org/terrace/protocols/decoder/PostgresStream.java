package org.terrace.protocols.decoder;

import org.terrace.wire.bytes.Bytes;

/**
 * One direction of a PostgreSQL connection as messages: a type, a length and a body (PostgreSQL
 * documentation, "Frontend/Backend Protocol"). Confined to one thread.
 */
abstract class PostgresStream extends MessageStream {
  private static final int HEADER_BYTES = 5;
  private static final int MESSAGE_BYTES_MAX = 1 << 30;

  private int type;

  PostgresStream(DecoderContext context) {
    super(context, HEADER_BYTES);
  }

  /** Whether a server has a message of this type. */
  static boolean isServerType(int type) {
    return switch (type) {
      case 'R', 'S', 'K', 'Z', 'T', 'D', 'C', 'E', 'N', 'A' -> true;
      case '1', '2', '3', 'n', 's', 't', 'I', 'G', 'H', 'W', 'd', 'c', 'V', 'v' -> true;
      default -> false;
    };
  }

  /**
   * Whether a segment of a server consists of messages, of which the first can begin an answer; the
   * last may go on in the next segment. A row begins none, since those of the answer before would.
   */
  static boolean beginsAnswer(byte[] bytes, int from, int to) {
    int at = from;
    while (to - at >= HEADER_BYTES) {
      int length = Bytes.i32(bytes, at + 1);
      boolean possible = at > from || (bytes[at] != 'D' && bytes[at] != 'd');
      if (!possible || !isServerType(bytes[at]) || length < 4 || length > MESSAGE_BYTES_MAX) {
        return false;
      }
      if (length >= to - at - 1) {
        return true;
      }
      at += 1 + length;
    }
    return at > from && isServerType(bytes[at]);
  }

  /** Whether there is a message of this type. */
  abstract boolean isType(int type);

  /** The number of bytes of the body that matter, of a message of this type. */
  abstract int bytesThatMatter(int type);

  /** A message begins. */
  abstract void begins(int type, int length);

  /** A message of a type is complete, with as much of its body as {@link #message} says. */
  abstract void message(int type, byte[] bytes, int from, int to);

  @Override
  protected final long header(byte[] bytes, int at) {
    type = bytes[at];
    int length = Bytes.i32(bytes, at + 1);
    if (!isType(type) || length < 4 || length > MESSAGE_BYTES_MAX) {
      return NO_MESSAGE;
    }
    begins(type, length + 1);
    return length - 4L;
  }

  @Override
  protected final int bytesThatMatter() {
    return bytesThatMatter(type);
  }

  @Override
  protected final void message(byte[] bytes, int from, int to) {
    message(type, bytes, from, to);
  }
}
