package org.terrace.wire.file;

/**
 * Holds a bounded number of records and gives them back in the order of their times; records of one
 * time keep the order they came in. Confined to one thread. Adding is constant-time for records
 * that come in order and linear in the disorder otherwise.
 */
final class ReorderWindow {
  private final int capacity;
  private final PacketRecord[] ordered;
  private int head;
  private int size;

  ReorderWindow(int capacity) {
    this.capacity = capacity;
    ordered = new PacketRecord[capacity];
    for (int i = 0; i < capacity; i++) {
      ordered[i] = new PacketRecord();
    }
  }

  boolean isFull() {
    return size == capacity;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The record to fill before {@link #add()}. */
  PacketRecord free() {
    return ordered[(head + size) % capacity];
  }

  /** Puts the filled record where its time belongs. */
  void add() {
    int at = (head + size) % capacity;
    PacketRecord added = ordered[at];
    for (int moved = 0; moved < size; moved++) {
      int before = at == 0 ? capacity - 1 : at - 1;
      if (ordered[before].timeNanos <= added.timeNanos) {
        break;
      }
      ordered[at] = ordered[before];
      at = before;
    }
    ordered[at] = added;
    size++;
  }

  /** Takes the earliest record; it stays valid until the next record is added. */
  PacketRecord take() {
    PacketRecord earliest = ordered[head];
    head = head + 1 == capacity ? 0 : head + 1;
    size--;
    return earliest;
  }

  /** The least position in the stream of the held records, or the given one when there are none. */
  long leastPosition(long otherwise) {
    long least = otherwise;
    for (int i = 0; i < size; i++) {
      least = Math.min(least, ordered[(head + i) % capacity].position);
    }
    return least;
  }
}
