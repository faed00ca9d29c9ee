package org.terrace.collections.structures;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/**
 * The recent updates of one writer, by ascending sequence number: a ring of arrays, so that adding
 * the next update and dropping the first cost no memory and no search. One that comes out of order
 * shifts those after it. Confined.
 */
public final class WriterLog {
  private static final int CAPACITY_MIN = 16;

  /** An update that is still here. */
  public record Logged(long sequence, byte[] delta) {}

  private long[] sequences = new long[CAPACITY_MIN];
  private long[] arrivals = new long[CAPACITY_MIN];
  private byte[][] deltas = new byte[CAPACITY_MIN][];
  private int head;
  private int size;

  private long known;

  /** The last update there was at the last tick and at the one before; 0 if there was none. */
  private long lastAtTick;

  private long lastAtTickBefore;

  /** Whether no update is here. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Takes note of the update up to which everybody is known to have all. */
  public void noteKnown(long upTo) {
    known = upTo;
  }

  /** Whether there is an update, and everybody is known to have the first one. */
  public boolean isFirstKnown() {
    return size > 0 && first() <= known;
  }

  /** The sequence number of the first update; there is one. */
  public long first() {
    return sequences[slot(0)];
  }

  /** The sequence number of the last update; there is one. */
  public long last() {
    return sequences[slot(size - 1)];
  }

  /** The arrival of the first update, counted in updates of all writers; there is one. */
  public long firstArrival() {
    return arrivals[slot(0)];
  }

  /** Adds an update; says whether it was not here yet. */
  public boolean add(long sequence, byte[] delta, long arrival) {
    int index = size == 0 || sequence > last() ? size : indexOf(sequence);
    if (index < size && sequences[slot(index)] == sequence) {
      return false;
    }
    if (size == sequences.length) {
      resize(2 * size);
    }
    for (int i = size; i > index; i--) {
      copy(slot(i - 1), slot(i));
    }
    size++;
    int slot = slot(index);
    sequences[slot] = sequence;
    arrivals[slot] = arrival;
    deltas[slot] = delta;
    return true;
  }

  private void copy(int from, int to) {
    sequences[to] = sequences[from];
    arrivals[to] = arrivals[from];
    deltas[to] = deltas[from];
  }

  /** Drops the first update, which there is, and gives it. */
  public byte[] removeFirst() {
    byte[] dropped = deltas[head];
    Arrays.fill(deltas, head, head + 1, null);
    head = slot(1);
    size--;
    if (sequences.length > CAPACITY_MIN && size < sequences.length / 8) {
      resize(sequences.length / 2);
    }
    return dropped;
  }

  private void resize(int capacity) {
    long[] largerSequences = new long[capacity];
    long[] largerArrivals = new long[capacity];
    byte[][] largerDeltas = new byte[capacity][];
    for (int i = 0; i < size; i++) {
      int slot = slot(i);
      largerSequences[i] = sequences[slot];
      largerArrivals[i] = arrivals[slot];
      largerDeltas[i] = deltas[slot];
    }
    sequences = largerSequences;
    arrivals = largerArrivals;
    deltas = largerDeltas;
    head = 0;
  }

  /** The place of an update by its place in order: the capacity is a power of two. */
  private int slot(int index) {
    return (head + index) & (sequences.length - 1);
  }

  /** The number of updates that come before the one of that number. */
  private int indexOf(long sequence) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sequences[slot(middle)] < sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The updates in that range, a view that ends with the next change. */
  public List<Logged> in(SequenceSet.Range range) {
    int from = indexOf(range.first());
    int to = range.last() == Long.MAX_VALUE ? size : indexOf(range.last() + 1);
    return new AbstractList<>() {
      @Override
      public Logged get(int index) {
        int slot = slot(from + index);
        return new Logged(sequences[slot], deltas[slot]);
      }

      @Override
      public int size() {
        return to - from;
      }
    };
  }

  /** Time has passed. */
  public void tick() {
    lastAtTickBefore = lastAtTick;
    lastAtTick = last();
  }

  /**
   * The last update that has been here for a tick and more; all later numbers count as such if
   * nothing has come since.
   */
  public long lastNotRecent() {
    if (lastAtTickBefore == 0) {
      return first() - 1;
    }
    return last() > lastAtTickBefore ? lastAtTickBefore : Long.MAX_VALUE;
  }
}
