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

  /** Whether there is a message of this type. */
  abstract boolean isType(int type);

  /** Whether the body of a message of this type matters. */
  abstract boolean matters(int type);

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
    return matters(type) ? KEPT_BYTES_MAX : 0;
  }

  @Override
  protected final void message(byte[] bytes, int from, int to) {
    message(type, bytes, from, to);
  }
}
