package org.terrace.nodes.monitor;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The room on the heap for what the monitors of one watch read, in bytes. What finds none is left
 * out, and counted by whoever would have kept it. Thread-safe.
 */
public final class ReadingRoom {
  /** One of so many parts of the heap: the others are for whoever hands over what was read. */
  private static final int PART_OF_HEAP = 2;

  /** A watch of this size is of hours; a runner makes objects of all that it was told. */
  private static final long MOST_BYTES = 64L << 20;

  private final AtomicLong leftBytes;

  /** A room of a size. */
  public ReadingRoom(long bytes) {
    leftBytes = new AtomicLong(bytes);
  }

  /** The room that this process has: half of its heap, and no more than 64 MiB. */
  public static ReadingRoom ofHeap() {
    return new ReadingRoom(Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
  }

  /** Takes room; false, and none is taken, if there is not as much left. */
  boolean take(long bytes) {
    return leftBytes.getAndUpdate(left -> left < bytes ? left : left - bytes) >= bytes;
  }
}
