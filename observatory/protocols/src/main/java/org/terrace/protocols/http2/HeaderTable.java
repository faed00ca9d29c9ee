package org.terrace.protocols.http2;

import java.util.Arrays;
import org.terrace.protocols.text.Ascii;
import org.terrace.protocols.text.MemoryBudget;

/**
 * The headers that can be referred to by number: the fixed ones of RFC 7541, appendix A, and those
 * that were sent before on the connection, the newest first. What was sent out of sight is unknown,
 * and so is what is older than what is kept; since numbers count from the newest, the rest is
 * right. What the sender has evicted it refers to no more, so sizes need not be followed. Confined
 * to one thread.
 */
final class HeaderTable {
  /** Headers that are kept. */
  static final int KEPT_MAX = 1024;

  private static final int FIXED = 61;
  private static final int CAPACITY_MIN = 16;
  private static final int BYTES_EACH = 32;
  private static final int FIRST_STATUS = 8;
  private static final int LAST_STATUS = 14;
  private static final int CONTENT_TYPE = 31;
  private static final byte[] NOTHING = {};
  private static final byte[][] FIXED_VALUES = {
    NOTHING,
    NOTHING,
    Ascii.of("GET"),
    Ascii.of("POST"),
    Ascii.of("/"),
    Ascii.of("/index.html"),
    NOTHING,
    NOTHING,
    Ascii.of("200"),
    Ascii.of("204"),
    Ascii.of("206"),
    Ascii.of("304"),
    Ascii.of("400"),
    Ascii.of("404"),
    Ascii.of("500")
  };

  private final MemoryBudget memory;
  private HeaderName[] names = {};
  private byte[][] values = {};
  private int size;
  private int newest;
  private int taken;

  HeaderTable(MemoryBudget memory) {
    this.memory = memory;
  }

  /** The name with a number, {@link HeaderName#UNKNOWN} if it was not seen. */
  HeaderName name(int number) {
    if (number > FIXED) {
      int back = number - FIXED - 1;
      return back < size ? names[slot(back)] : HeaderName.UNKNOWN;
    }
    return switch (number) {
      case 2, 3 -> HeaderName.METHOD;
      case 4, 5 -> HeaderName.PATH;
      case CONTENT_TYPE -> HeaderName.CONTENT_TYPE;
      default ->
          number >= FIRST_STATUS && number <= LAST_STATUS ? HeaderName.STATUS : HeaderName.OTHER;
    };
  }

  /** The value with a number; empty if it does not matter. */
  byte[] value(int number) {
    if (number > FIXED) {
      int back = number - FIXED - 1;
      return back < size ? values[slot(back)] : NOTHING;
    }
    return number < FIXED_VALUES.length ? FIXED_VALUES[number] : NOTHING;
  }

  private int slot(int back) {
    return Math.floorMod(newest - back, names.length);
  }

  /** Puts in a header; where there is no memory, everything before is unknown. */
  void add(HeaderName name, byte[] value, int length) {
    if (size == names.length && size < KEPT_MAX && !grow()) {
      release();
      return;
    }
    if (size == names.length) {
      size--;
    }
    newest = (newest + 1) % names.length;
    names[newest] = name;
    giveBack(values[newest].length);
    boolean kept = name.matters() && length > 0 && memory.take(length);
    values[newest] = kept ? Arrays.copyOf(value, length) : NOTHING;
    taken += values[newest].length;
    size++;
  }

  private boolean grow() {
    int capacity = Math.max(CAPACITY_MIN, 2 * size);
    if (!memory.take((capacity - size) * BYTES_EACH)) {
      return false;
    }
    taken += (capacity - size) * BYTES_EACH;
    HeaderName[] grownNames = new HeaderName[capacity];
    byte[][] grownValues = new byte[capacity][];
    Arrays.fill(grownNames, HeaderName.UNKNOWN);
    Arrays.fill(grownValues, NOTHING);
    for (int back = 0; back < size; back++) {
      grownNames[size - 1 - back] = names[slot(back)];
      grownValues[size - 1 - back] = values[slot(back)];
    }
    names = grownNames;
    values = grownValues;
    newest = size == 0 ? capacity - 1 : size - 1;
    return true;
  }

  private void giveBack(int bytes) {
    memory.giveBack(bytes);
    taken -= bytes;
  }

  /** Forgets what was sent before, and gives back its memory. */
  void release() {
    memory.giveBack(taken);
    taken = 0;
    names = new HeaderName[] {};
    values = new byte[][] {};
    size = 0;
    newest = 0;
  }
}
