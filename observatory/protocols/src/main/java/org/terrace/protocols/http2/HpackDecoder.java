package org.terrace.protocols.http2;

import org.terrace.protocols.text.MemoryBudget;

/**
 * Decompression of the headers of one direction (RFC 7541), joined at any block: a header that
 * refers to what was sent out of sight is unknown, and the others are right. Confined to one
 * thread.
 */
final class HpackDecoder {
  private static final int NUMBER_BYTES_MAX = 5;
  private static final int NO_NUMBER = -1;

  private final HeaderTable table;
  private final byte[] name = new byte[HeaderName.BYTES_MAX + 1];
  private final byte[] value = new byte[HeaderBlock.VALUE_BYTES_MAX];
  private byte[] bytes = {};
  private int at;
  private int to;

  HpackDecoder(MemoryBudget memory) {
    table = new HeaderTable(memory);
  }

  /** Forgets what was sent before, since something in between is missing. */
  void forget() {
    table.release();
  }

  /** Decodes a whole block; false when it is none, and then everything before is forgotten. */
  boolean decode(byte[] block, int from, int end, HeaderBlock into) {
    bytes = block;
    at = from;
    to = end;
    while (at < to) {
      if (!header(into)) {
        into.lacks();
        forget();
        return false;
      }
    }
    return true;
  }

  private boolean header(HeaderBlock into) {
    int first = bytes[at];
    if ((first & 0x80) != 0) {
      int number = number(7);
      if (number <= 0) {
        return false;
      }
      byte[] known = table.value(number);
      into.add(table.name(number), known, known.length);
      return true;
    }
    if ((first & 0x40) != 0) {
      return literal(6, true, into);
    }
    if ((first & 0x20) != 0) {
      return number(5) != NO_NUMBER;
    }
    return literal(4, false, into);
  }

  private boolean literal(int prefixBits, boolean indexed, HeaderBlock into) {
    int number = number(prefixBits);
    if (number == NO_NUMBER) {
      return false;
    }
    HeaderName named;
    if (number > 0) {
      named = table.name(number);
    } else {
      int length = text(name, true);
      if (length < 0) {
        return false;
      }
      named = HeaderName.of(name, length);
    }
    int length = text(value, named.matters());
    if (length < 0) {
      return false;
    }
    into.add(named, value, length);
    if (indexed) {
      table.add(named, value, length);
    }
    return true;
  }

  /** A number in the rest of a byte and those behind it, or {@link #NO_NUMBER}. */
  private int number(int prefixBits) {
    int mask = (1 << prefixBits) - 1;
    long number = bytes[at++] & mask;
    if (number < mask) {
      return (int) number;
    }
    for (int i = 0; i < NUMBER_BYTES_MAX; i++) {
      if (at == to) {
        return NO_NUMBER;
      }
      int next = bytes[at++];
      number += (long) (next & 0x7f) << (7 * i);
      if (next >= 0) {
        return number > Integer.MAX_VALUE ? NO_NUMBER : (int) number;
      }
    }
    return NO_NUMBER;
  }

  /** A text, as far as there is room, if it matters; returns its length there, or -1. */
  private int text(byte[] into, boolean matters) {
    if (at == to) {
      return -1;
    }
    boolean coded = bytes[at] < 0;
    int length = number(7);
    if (length < 0 || length > to - at) {
      return -1;
    }
    int from = at;
    at += length;
    if (!matters) {
      return 0;
    }
    if (coded) {
      return Huffman.decode(bytes, from, at, into);
    }
    int count = Math.min(length, into.length);
    System.arraycopy(bytes, from, into, 0, count);
    return count;
  }
}
