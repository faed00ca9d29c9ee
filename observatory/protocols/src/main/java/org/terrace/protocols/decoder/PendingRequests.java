package org.terrace.protocols.decoder;

/**
 * The requests of one HTTP connection that wait for their responses, first in, first out. Confined
 * to one thread; allocates only when more are pipelined than ever before on the connection.
 */
final class PendingRequests {
  /** Requests pipelined at most. */
  static final int PIPELINED_MAX = 1024;

  private static final int CAPACITY_MIN = 2;
  private static final int BYTES_EACH = 96;

  private final MemoryBudget memory;
  private Pending[] slots = {new Pending(), new Pending()};
  private int size;
  private int head;
  private long taken;

  PendingRequests(MemoryBudget memory) {
    this.memory = memory;
  }

  int size() {
    return size;
  }

  /** Whether one more can be added. */
  boolean hasRoom() {
    return size < slots.length || (size < PIPELINED_MAX && memory.take(slots.length * BYTES_EACH));
  }

  /** Gives back the memory; the last call. */
  void release() {
    memory.giveBack((slots.length - CAPACITY_MIN) * BYTES_EACH);
  }

  /** Adds a request, for which there must be room, and returns its ordinal on the connection. */
  long add(long arrivalNanos, long frame, int requestClass, int method) {
    if (size == slots.length) {
      grow();
    }
    Pending added = slots[(head + size) & (slots.length - 1)];
    added.begin(arrivalNanos, frame);
    added.requestClass = requestClass;
    added.method = method;
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

  /**
   * Notes how far a request was read, unless it is no longer here.
   *
   * @param whole whether that is to its end
   */
  void note(long ordinal, HttpFraming requests, boolean whole) {
    long index = ordinal - taken;
    if (index < 0 || index >= size) {
      return;
    }
    Pending request = slots[(head + (int) index) & (slots.length - 1)];
    request.bytesIn = requests.messageBytes();
    if (whole) {
      request.requestEnds(requests.lastNanos(), requests.lastFrame());
    } else {
      request.seen(requests.lastNanos(), requests.lastFrame());
    }
  }

  /** The request that waits longest; there must be one. */
  Pending first() {
    return slots[head];
  }

  void removeFirst() {
    head = (head + 1) & (slots.length - 1);
    size--;
    taken++;
  }

  /** A request that waits. */
  static final class Pending extends OpenRequest {
    int requestClass;
    int method;
  }
}
