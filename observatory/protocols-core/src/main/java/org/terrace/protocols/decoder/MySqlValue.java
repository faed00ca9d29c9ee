package org.terrace.protocols.decoder;

import org.terrace.observation.ValueSketch;
import org.terrace.protocols.values.CarriedValues;

/**
 * A value in MySQL's binary protocol, by its type, which has flags in its upper half. Nothing is
 * read outside of a range. Stateless.
 *
 * <p>Source: MariaDB documentation, "Binary Protocol Encoding".
 */
final class MySqlValue {
  private static final int TYPE_MASK = 0xff;
  private static final int FLAG_UNSIGNED = 0x8000;
  private static final int DOUBLE = 0x05;
  private static final int LENGTH_UNKNOWN = -1;

  /** The greatest number below which a double tells all whole numbers apart. */
  private static final double EXACT_MAX = 0x1p53;

  private MySqlValue() {}

  /** The index behind a value, or -1 where it is cut or of a type that is not known. */
  static int end(int type, byte[] bytes, int at, int to) {
    if (type >= 0 && isText(type & TYPE_MASK)) {
      return textEnd(bytes, at, to);
    }
    int length =
        switch (type < 0 ? LENGTH_UNKNOWN : type & TYPE_MASK) {
          case 0x06 -> 0; // NULL
          case 0x01 -> 1; // TINY
          case 0x02, 0x0d -> 2; // SHORT, YEAR
          case 0x03, 0x09, 0x04 -> 4; // LONG, INT24, FLOAT
          case DOUBLE, 0x08 -> 8; // and LONGLONG
          case 0x07, 0x0a, 0x0b, 0x0c -> at < to ? 1 + (bytes[at] & 0xff) : LENGTH_UNKNOWN; // times
          default -> LENGTH_UNKNOWN;
        };
    return length < 0 || length > to - at ? -1 : at + length;
  }

  /** The index behind a text that begins with its length, or -1 where it is cut. */
  static int textEnd(byte[] bytes, int at, int to) {
    long length = MySqlPacket.integer(bytes, at, to);
    int text = MySqlPacket.behindInteger(bytes, at, to);
    return text < 0 || length < 0 || length > to - text ? -1 : text + (int) length;
  }

  /** Adds a value that ends at {@code end}: a text, a whole number; others are none. */
  static long add(long sketch, int type, byte[] bytes, int from, int end) {
    int plain = type & TYPE_MASK;
    if (isNumber(plain)) {
      boolean unsigned = (type & FLAG_UNSIGNED) != 0;
      return ValueSketch.add(sketch, number(bytes, from, end, unsigned));
    }
    if (plain == DOUBLE) {
      // JavaScript knows no other numbers.
      double value = Double.longBitsToDouble(number(bytes, from, end, false));
      boolean exact = value == Math.rint(value) && Math.abs(value) < EXACT_MAX;
      return exact ? ValueSketch.add(sketch, (long) value) : sketch;
    }
    return isText(plain)
        ? CarriedValues.ofText(sketch, bytes, MySqlPacket.behindInteger(bytes, from, end), end)
        : sketch;
  }

  private static long number(byte[] bytes, int from, int end, boolean unsigned) {
    long value = unsigned ? bytes[end - 1] & 0xff : bytes[end - 1];
    for (int i = end - 2; i >= from; i--) {
      value = value << Byte.SIZE | (bytes[i] & 0xff);
    }
    return value;
  }

  private static boolean isNumber(int type) {
    return switch (type) {
      case 0x01, 0x02, 0x0d, 0x03, 0x09, 0x08 -> true;
      default -> false;
    };
  }

  /** Whether values of a type begin with their length: decimals, texts, JSON, binary objects. */
  private static boolean isText(int type) {
    return type == 0x00 || type == 0x0f || type == 0x10 || type >= 0xf5;
  }
}
