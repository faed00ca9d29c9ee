package org.terrace.protocols.prepared;

import java.util.Arrays;
import org.terrace.protocols.text.MemoryBudget;
import org.terrace.wire.bytes.Bytes;

/**
 * The prepared statements or portals of one connection: from the hash of a name to the class of the
 * statement, or to the number of one that was not seen ({@link UnseenStatements}). The unnamed one
 * has a place of its own. Beyond a limit all are forgotten. Confined to one thread.
 */
public final class StatementNames {
  /** Stands for a name that is not known. */
  public static final int UNKNOWN = -1;

  private static final int NAMES_MAX = 1024;
  private static final int CAPACITY_MIN = 16;
  private static final int BYTES_EACH = 12;

  private final MemoryBudget memory;
  private int unnamed = UNKNOWN;
  private long[] hashes = {};
  private int[] classes = {};
  private int size;

  /** No names yet. */
  public StatementNames(MemoryBudget memory) {
    this.memory = memory;
  }

  /** Sets the class of a name; {@link #UNKNOWN} forgets it. */
  public void put(byte[] bytes, int from, int to, int requestClass) {
    if (from == to) {
      unnamed = requestClass;
      return;
    }
    long hash = hash(bytes, from, to);
    if (hashes.length > 0) {
      int at = find(hash);
      if (hashes[at] == hash) {
        classes[at] = requestClass;
        return;
      }
    }
    if (requestClass != UNKNOWN && makeRoom()) {
      int at = find(hash);
      hashes[at] = hash;
      classes[at] = requestClass;
      size++;
    }
  }

  /** The class of a name, or {@link #UNKNOWN}. */
  public int get(byte[] bytes, int from, int to) {
    if (from == to) {
      return unnamed;
    }
    if (hashes.length == 0) {
      return UNKNOWN;
    }
    long hash = hash(bytes, from, to);
    int at = find(hash);
    return hashes[at] == hash ? classes[at] : UNKNOWN;
  }

  /** Zero marks a free place, so no name hashes to it. */
  private static long hash(byte[] bytes, int from, int to) {
    long hash = Bytes.hash(bytes, from, to);
    return hash == 0 ? 1 : hash;
  }

  private int find(long hash) {
    int mask = hashes.length - 1;
    int at = (int) hash & mask;
    while (hashes[at] != 0 && hashes[at] != hash) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private boolean makeRoom() {
    if (size * 2 < hashes.length) {
      return true;
    }
    if (size >= NAMES_MAX) {
      Arrays.fill(hashes, 0);
      Arrays.fill(classes, UNKNOWN);
      size = 0;
      return true;
    }
    return resize(Math.max(CAPACITY_MIN, hashes.length * 2));
  }

  /** Makes the table larger and drops the names that were closed. */
  private boolean resize(int capacity) {
    if (!memory.take((capacity - hashes.length) * BYTES_EACH)) {
      return false;
    }
    long[] oldHashes = hashes;
    int[] oldClasses = classes;
    hashes = new long[capacity];
    classes = new int[capacity];
    size = 0;
    Arrays.fill(classes, UNKNOWN);
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != 0 && oldClasses[i] != UNKNOWN) {
        int at = find(oldHashes[i]);
        hashes[at] = oldHashes[i];
        classes[at] = oldClasses[i];
        size++;
      }
    }
    return true;
  }

  /** Gives back the memory; the last call. */
  public void release() {
    memory.giveBack(hashes.length * BYTES_EACH);
  }
}
