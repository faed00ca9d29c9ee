package org.terrace.groups.builtin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The header of a datagram, and of a message on a connection.
 *
 * @param channel what the payload is for; see the constants
 * @param group number of the group
 * @param sender identity of the sending incarnation
 * @param receiver identity of the incarnation it is for, or {@link #ANYBODY}
 * @param number counts the frames of the sender on this kind of transport, from 1
 */
record Frame(int channel, long group, long sender, long receiver, long number) {
  /** For whoever hears it. */
  static final long ANYBODY = 0;

  /** The channel of the membership protocol. */
  static final int MEMBERSHIP = 0;

  /** Sent by multicast to find out who hears it. */
  static final int REACH_PROBE = 64;

  /** Tells the sender of a reach probe that it was heard. */
  static final int REACH_ANSWER = 65;

  static final int BYTES = 2 * Byte.BYTES + 4 * Long.BYTES;

  private static final byte VERSION = 1;

  /** In place of the version: what follows is encrypted. */
  static final byte ENCRYPTED = 2;

  static long groupNumber(String name) {
    CRC32C crc = new CRC32C();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  void encode(ByteBuffer out) {
    out.put(VERSION).put((byte) channel);
    out.putLong(group).putLong(sender).putLong(receiver).putLong(number);
  }

  /** Whether the bytes can be a frame of this version, encrypted or not. */
  static boolean isPlausible(ByteBuffer in) {
    return in.remaining() >= BYTES
        && (in.get(in.position()) == VERSION || in.get(in.position()) == ENCRYPTED);
  }

  /** Whether the bytes are in the clear. */
  static boolean isClear(ByteBuffer in) {
    return in.hasRemaining() && in.get(in.position()) == VERSION;
  }

  static Frame decode(ByteBuffer in) {
    in.get();
    return new Frame(in.get(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
  }
}
