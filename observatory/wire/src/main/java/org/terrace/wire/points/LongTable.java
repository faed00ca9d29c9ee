package org.terrace.wire.points;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A table from numbers to small ones, up to a number of entries. Zero is no key. The places of keys
 * cannot be foreseen, so that no capture can be made whose keys all want the same one. Confined to
 * one thread.
 */
final class LongTable {
  /** The value of a key that is not there. */
  static final int ABSENT = -1;

  private static final long ODD = new SecureRandom().nextLong() | 1;

  private final int entriesMax;
  private long[] keys = new long[64];
  private int[] values = new int[64];
  private int size;
  private boolean overflowed;

  LongTable(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  int size() {
    return size;
  }

  /** Whether a key was turned away. */
  boolean overflowed() {
    return overflowed;
  }

  /** The value of a key, or {@link #ABSENT}. */
  int get(long key) {
    int at = find(key);
    return keys[at] == key && key != 0 ? values[at] : ABSENT;
  }

  boolean contains(long key) {
    return get(key) != ABSENT;
  }

  /** Sets the value of a key, at least 0; turns a further key away when the table is full. */
  void put(long key, int value) {
    if (key == 0) {
      return;
    }
    int at = find(key);
    if (keys[at] != key) {
      if (size >= entriesMax) {
        overflowed = true;
        return;
      }
      if (size * 2 >= keys.length) {
        grow();
        at = find(key);
      }
      keys[at] = key;
      size++;
    }
    values[at] = value;
  }

  /** The keys, in no order. */
  long[] keys() {
    return Arrays.stream(keys).filter(key -> key != 0).toArray();
  }

  /**
   * The first place to look for a key at. The lower bits decide: by the upper ones, keys in the
   * order of a large table would all want the beginning of a small one that grows.
   */
  static int place(long key, int mask) {
    long mixed = key * ODD;
    return (int) (((mixed ^ (mixed >>> 32)) * ODD) >>> 32) & mask;
  }

  private int find(long key) {
    int mask = keys.length - 1;
    int at = place(key, mask);
    while (keys[at] != 0 && keys[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[oldKeys.length * 2];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = find(oldKeys[i]);
        keys[at] = oldKeys[i];
        values[at] = oldValues[i];
      }
    }
  }
}
