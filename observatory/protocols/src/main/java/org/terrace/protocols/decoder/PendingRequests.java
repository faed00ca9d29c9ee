package org.terrace.protocols.decoder;

import java.util.Arrays;

/**
 * The requests of one HTTP connection that wait for their responses, first in, first out. Confined
 * to one thread; allocates only when more are pipelined than ever before on the connection.
 */
final class PendingRequests {
  /** Requests pipelined at most. */
  static final int PIPELINED_MAX = 1024;

  private static final int CAPACITY_MIN = 2;
  private static final int BYTES_EACH = 24;

  private final MemoryBudget memory;
  private long[] arrivals = new long[CAPACITY_MIN];
  private long[] bytes = new long[CAPACITY_MIN];
  private int[] classes = new int[CAPACITY_MIN];
  private int[] methods = new int[CAPACITY_MIN];
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
    return size < arrivals.length
        || (size < PIPELINED_MAX && memory.take(arrivals.length * BYTES_EACH));
  }

  /** Gives back the memory; the last call. */
  void release() {
    memory.giveBack((arrivals.length - CAPACITY_MIN) * BYTES_EACH);
  }

  /** Adds a request, for which there must be room, and returns its ordinal on the connection. */
  long add(long arrivalNanos, int requestClass, int method) {
    if (size == arrivals.length) {
      grow();
    }
    int at = (head + size) & (arrivals.length - 1);
    arrivals[at] = arrivalNanos;
    bytes[at] = 0;
    classes[at] = requestClass;
    methods[at] = method;
    return taken + size++;
  }

  private void grow() {
    int capacity = arrivals.length;
    long[] oldArrivals = arrivals;
    long[] oldBytes = bytes;
    int[] oldClasses = classes;
    int[] oldMethods = methods;
    arrivals = Arrays.copyOf(arrivals, capacity * 2);
    bytes = Arrays.copyOf(bytes, capacity * 2);
    classes = Arrays.copyOf(classes, capacity * 2);
    methods = Arrays.copyOf(methods, capacity * 2);
    for (int i = 0; i < size; i++) {
      int from = (head + i) & (capacity - 1);
      arrivals[i] = oldArrivals[from];
      bytes[i] = oldBytes[from];
      classes[i] = oldClasses[from];
      methods[i] = oldMethods[from];
    }
    head = 0;
  }

  /** Sets the bytes of a request, unless it is no longer here. */
  void setBytes(long ordinal, long byteCount) {
    long index = ordinal - taken;
    if (index >= 0 && index < size) {
      bytes[(head + (int) index) & (bytes.length - 1)] = byteCount;
    }
  }

  long firstArrivalNanos() {
    return arrivals[head];
  }

  long firstBytes() {
    return bytes[head];
  }

  int firstClass() {
    return classes[head];
  }

  int firstMethod() {
    return methods[head];
  }

  void removeFirst() {
    head = (head + 1) & (arrivals.length - 1);
    size--;
    taken++;
  }
}
