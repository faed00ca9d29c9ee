package org.terrace.protocols.tls;

import org.terrace.protocols.text.MemoryBudget;
import org.terrace.wire.bytes.Bytes;

/**
 * The messages of a handshake that one side's records carry: several in a record, or one in
 * several. The bodies of those alone that matter are kept. Confined to one thread.
 *
 * <p>Source: RFC 8446, section 4; RFC 5246, section 7.4.
 */
abstract class HandshakeMessages {
  static final int CLIENT_HELLO = 1;
  static final int SERVER_HELLO = 2;
  static final int ENCRYPTED_EXTENSIONS = 8;
  static final int FINISHED = 20;
  static final int KEY_UPDATE = 24;

  /** A message that matters and is longer is passed over. */
  private static final int KEPT_BYTES_MAX = 64 << 10;

  private static final int HEADER_BYTES = 4;
  private static final byte[] NOTHING = {};

  private final MemoryBudget memory;
  private final byte[] header = new byte[HEADER_BYTES];
  private int headerLength;
  private byte[] body = NOTHING;
  private int bodyLength;
  private int remaining;

  HandshakeMessages(MemoryBudget memory) {
    this.memory = memory;
  }

  /**
   * A message is whole.
   *
   * @param bytes an array with its body; empty when it does not matter
   */
  abstract void message(int type, byte[] bytes, int from, int to);

  private static boolean matters(int type) {
    return type == CLIENT_HELLO || type == SERVER_HELLO || type == ENCRYPTED_EXTENSIONS;
  }

  /** Takes what the next record carries. */
  final void accept(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      if (headerLength < HEADER_BYTES) {
        header[headerLength++] = bytes[at++];
        if (headerLength == HEADER_BYTES) {
          headerEnds();
        }
      } else {
        int count = Math.min(remaining, to - at);
        if (body.length > 0) {
          System.arraycopy(bytes, at, body, bodyLength, count);
          bodyLength += count;
        }
        remaining -= count;
        at += count;
        messageMayEnd();
      }
    }
  }

  private void headerEnds() {
    remaining = Bytes.i32(header, 0) & 0xff_ffff;
    boolean keeps = matters(header[0]) && remaining > 0 && remaining <= KEPT_BYTES_MAX;
    if (keeps && memory.take(remaining)) {
      body = new byte[remaining];
    }
    messageMayEnd();
  }

  private void messageMayEnd() {
    if (remaining == 0) {
      byte[] whole = body;
      int type = header[0];
      lose();
      message(type, whole, 0, whole.length);
    }
  }

  /** A part is missing: a message begins with the next record, as far as can be told. */
  final void lose() {
    memory.giveBack(body.length);
    body = NOTHING;
    bodyLength = 0;
    headerLength = 0;
    remaining = 0;
  }
}
