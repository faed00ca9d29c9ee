package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.text.MemoryBudget;

/**
 * The requests of one connection that wait for their responses, first in, first out. Confined to
 * one thread; allocates only when more are pipelined than ever before on the connection.
 */
public final class PendingRequests {
  private static final int CAPACITY_MIN = 2;
  private static final int BYTES_EACH = 96;

  private final MemoryBudget memory;
  private final int pipelinedMax;
  private Pending[] slots = {new Pending(), new Pending()};
  private int size;
  private int head;
  private long taken;

  /**
   * A queue in which no request waits.
   *
   * @param pipelinedMax the requests pipelined at most, a power of two
   */
  public PendingRequests(MemoryBudget memory, int pipelinedMax) {
    this.memory = memory;
    this.pipelinedMax = pipelinedMax;
  }

  /** The number of requests that wait. */
  public int size() {
    return size;
  }

  /** Whether one more can be added. */
  public boolean hasRoom() {
    return size < slots.length || (size < pipelinedMax && memory.take(slots.length * BYTES_EACH));
  }

  /** Gives back the memory; the last call. */
  public void release() {
    memory.giveBack((slots.length - CAPACITY_MIN) * BYTES_EACH);
  }

  /** Adds a request, for which there must be room, and returns its ordinal on the connection. */
  public long add(long arrivalNanos, long frame, int requestClass, int kind) {
    if (size == slots.length) {
      grow();
    }
    Pending added = slots[(head + size) & (slots.length - 1)];
    added.begin(arrivalNanos, frame);
    added.requestClass = requestClass;
    added.kind = kind;
    return taken + size++;
  }

  private void grow() {
    int capacity = slots.length;
    Pending[] grown = new Pending[capacity * 2];
    for (int i = 0; i < grown.length; i++) {
      grown[i] = i < size ? slots[(head + i) & (capacity - 1)] : new Pending();
    }
    slots = grown;
    head = 0;
  }

  /** The request of an ordinal, or null when it no longer waits. */
  public @Nullable Pending at(long ordinal) {
    long index = ordinal - taken;
    return index < 0 || index >= size ? null : slots[(head + (int) index) & (slots.length - 1)];
  }

  /** The request that waits longest; there must be one. */
  public Pending first() {
    return slots[head];
  }

  /** The request that was added last; there must be one. */
  public Pending last() {
    return slots[(head + size - 1) & (slots.length - 1)];
  }

  /** Takes away the request that waits longest; there must be one. */
  public void removeFirst() {
    head = (head + 1) & (slots.length - 1);
    size--;
    taken++;
  }

  /** A request that waits. */
  public static final class Pending extends OpenRequest {
    /** The class of the request. */
    public int requestClass;

    /** The meaning of it in its protocol's own numbers. */
    public int kind;
  }
}
