package org.terrace.wire.tcp;

import org.jspecify.annotations.Nullable;

/**
 * The connections by their endpoints: a hash table with linear probing and without tombstones, in
 * which those of equal endpoints hang together, the youngest first. Confined to one thread; every
 * operation takes constant time on average.
 */
final class ConnectionTable {
  /** Connections of the same endpoints that are remembered at most. */
  static final int SAME_ENDPOINTS_MAX = 8;

  private static final int CAPACITY_MIN = 1024;

  private @Nullable Connection[] slots = new @Nullable Connection[CAPACITY_MIN];
  private int mask = CAPACITY_MIN - 1;
  private int size;

  int size() {
    return size;
  }

  /** The youngest connection of two endpoints, or null. */
  @Nullable Connection find(ConnectionKey key) {
    int at = key.hash & mask;
    for (Connection found = slots[at]; found != null; found = slots[at]) {
      if (found.hasKey(key)) {
        return found;
      }
      at = (at + 1) & mask;
    }
    return null;
  }

  /**
   * The connection of two endpoints that must go for one more, or null while there are fewer than
   * {@value #SAME_ENDPOINTS_MAX}: the eldest that is closed, else the one that is silent longest.
   */
  @Nullable Connection surplus(ConnectionKey key) {
    int count = 0;
    Connection least = null;
    for (Connection at = find(key); at != null; at = at.elder) {
      count++;
      boolean isLess =
          least == null
              || (at.closed == least.closed
                  ? at.closed || at.lastSeenNanos < least.lastSeenNanos
                  : at.closed);
      least = isLess ? at : least;
    }
    return count < SAME_ENDPOINTS_MAX ? null : least;
  }

  void add(Connection connection) {
    if (size * 2 >= slots.length) {
      grow();
    }
    place(connection);
    size++;
  }

  private void place(Connection connection) {
    int at = connection.hash & mask;
    Connection found = slots[at];
    while (found != null && !found.hasKeyOf(connection)) {
      at = (at + 1) & mask;
      found = slots[at];
    }
    connection.elder = found == null ? connection.elder : found;
    slots[at] = connection;
  }

  private void grow() {
    @Nullable Connection[] old = slots;
    slots = new @Nullable Connection[old.length * 2];
    mask = slots.length - 1;
    for (Connection connection : old) {
      if (connection != null) {
        place(connection);
      }
    }
  }

  /** Removes a connection that is in the table and closes the hole it leaves. */
  void remove(Connection connection) {
    int hole = connection.hash & mask;
    Connection found = slots[hole];
    while (found == null || !found.hasKeyOf(connection)) {
      hole = (hole + 1) & mask;
      found = slots[hole];
    }
    size--;
    if (found != connection) {
      unhang(found, connection);
      return;
    }
    if (connection.elder != null) {
      slots[hole] = connection.elder;
      connection.elder = null;
      return;
    }
    int at = hole;
    while (true) {
      at = (at + 1) & mask;
      Connection moved = slots[at];
      if (moved == null) {
        break;
      }
      int home = moved.hash & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        slots[hole] = moved;
        hole = at;
      }
    }
    slots[hole] = null;
  }

  private static void unhang(Connection youngest, Connection connection) {
    Connection at = youngest;
    while (at != null && at.elder != connection) {
      at = at.elder;
    }
    if (at != null) {
      at.elder = connection.elder;
      connection.elder = null;
    }
  }
}
