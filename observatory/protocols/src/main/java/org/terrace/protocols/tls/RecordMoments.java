package org.terrace.protocols.tls;

import java.util.Arrays;
import org.terrace.wire.tcp.Moment;

/**
 * The moments at which the parts of a record were captured: each from an offset in the record on.
 * Offsets of the header are negative. Of a record in more than {@value #PARTS_MAX} parts the last
 * ones count as one. Confined to one thread.
 */
final class RecordMoments {
  private static final int PARTS_MAX = 64;

  private int[] offsets = new int[2];
  private long[] times = new long[2];
  private long[] frames = new long[2];
  private int size;

  /** Forgets all. */
  void clear() {
    size = 0;
  }

  /** The bytes from an offset on were captured at a moment. */
  void add(int offset, Moment moment) {
    add(offset, moment.timeNanos(), moment.frame());
  }

  private void add(int offset, long timeNanos, long frame) {
    if (size > 0 && frames[size - 1] == frame && times[size - 1] == timeNanos) {
      return;
    }
    if (size == PARTS_MAX) {
      size--;
      times[size] = timeNanos;
      frames[size] = frame;
      size++;
      return;
    }
    if (size == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * size);
      times = Arrays.copyOf(times, 2 * size);
      frames = Arrays.copyOf(frames, 2 * size);
    }
    offsets[size] = offset;
    times[size] = timeNanos;
    frames[size] = frame;
    size++;
  }

  /** The number of parts. */
  int size() {
    return size;
  }

  /** The offset at which a part begins. */
  int offset(int part) {
    return offsets[part];
  }

  /** Sets a moment to that of a part. */
  void set(Moment moment, int part) {
    moment.set(times[part], frames[part]);
  }

  /** Becomes what others are for bytes from an index on, which gets the offset 0. */
  void from(RecordMoments others, int index) {
    clear();
    for (int part = 0; part < others.size; part++) {
      boolean isLast = part == others.size - 1 || others.offsets[part + 1] > index;
      if (isLast) {
        int offset = Math.max(0, others.offsets[part] - index);
        add(offset, others.times[part], others.frames[part]);
      }
    }
  }
}
