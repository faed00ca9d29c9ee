package org.terrace.groups.jgroups;

import java.nio.ByteBuffer;

/**
 * The header of each message.
 *
 * @param kind a channel, or one of the constants
 * @param receiver identity of the incarnation it is for, or {@link #ANYBODY}
 * @param number counts the sender's multicasts, from 1; 0 for a message to one member
 */
record Envelope(int kind, long receiver, long number) {
  static final long ANYBODY = 0;

  /** Tells who the sender is. */
  static final int HELLO = 64;

  /** Tells that the sender leaves. */
  static final int GOODBYE = 65;

  /** Tells the sender of a goodbye that it was heard. */
  static final int GOODBYE_HEARD = 66;

  static final int BYTES = 2 * Byte.BYTES + 2 * Long.BYTES;

  private static final byte VERSION = 1;

  /** The envelope with the payload's bytes from position to limit behind it. */
  byte[] seal(ByteBuffer payload) {
    ByteBuffer out = ByteBuffer.allocate(BYTES + payload.remaining());
    out.put(VERSION).put((byte) kind).putLong(receiver).putLong(number);
    out.put(payload.duplicate());
    return out.array();
  }

  static boolean isPlausible(ByteBuffer in) {
    return in.remaining() >= BYTES && in.get(in.position()) == VERSION;
  }

  /** Takes the envelope off. */
  static Envelope open(ByteBuffer in) {
    in.get();
    return new Envelope(in.get(), in.getLong(), in.getLong());
  }
}
