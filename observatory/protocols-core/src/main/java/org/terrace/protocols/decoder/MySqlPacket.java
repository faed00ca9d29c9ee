package org.terrace.protocols.decoder;

/**
 * Reading of MySQL's packets: numbers are little-endian, and an integer of variable length begins
 * with its size (MariaDB documentation, "Protocol Data Types"). Nothing is read outside of a range.
 * Stateless.
 */
final class MySqlPacket {
  static final int HEADER_BYTES = 4;

  /** A packet of this length goes on in the next one. */
  static final int LENGTH_MAX = 0xffffff;

  static final int OK = 0x00;
  static final int EOF = 0xfe;
  static final int ERROR = 0xff;

  /** The value of what is cut off. */
  static final long CUT = -1;

  private MySqlPacket() {}

  /** An unsigned number of 1 to 4 bytes, or {@link #CUT}. */
  static long number(byte[] bytes, int at, int to, int size) {
    if (at < 0 || to - at < size) {
      return CUT;
    }
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return value;
  }

  /** The index behind an integer of variable length, or {@link #CUT}. */
  static int behindInteger(byte[] bytes, int at, int to) {
    int first = (int) number(bytes, at, to, 1);
    int size =
        switch (first) {
          case -1 -> Integer.MAX_VALUE;
          case 0xfc -> 3;
          case 0xfd -> 4;
          case 0xfe -> 9;
          default -> 1;
        };
    return to - at < size ? (int) CUT : at + size;
  }

  /** An integer of variable length, as far as it has four bytes at most; else {@link #CUT}. */
  static long integer(byte[] bytes, int at, int to) {
    int first = (int) number(bytes, at, to, 1);
    return switch (first) {
      case 0xfc -> number(bytes, at + 1, to, 2);
      case 0xfd -> number(bytes, at + 1, to, 3);
      case 0xfb, 0xfe, 0xff -> CUT;
      default -> first;
    };
  }

  /** The status flags behind the two numbers of an OK packet; 0 where they are cut off. */
  static int okStatus(byte[] bytes, int from, int to) {
    int rows = behindInteger(bytes, from + 1, to);
    int identity = rows < 0 ? -1 : behindInteger(bytes, rows, to);
    return identity < 0 ? 0 : (int) Math.max(0, number(bytes, identity, to, 2));
  }
}
