package org.terrace.protocols.text;

import java.util.Arrays;
import org.terrace.wire.bytes.Bytes;

/**
 * A line of a text protocol, put together from segments: read where it lies, and copied only when
 * the end of a segment cuts it. Confined to one thread.
 */
public final class LineBuffer {
  /** A line longer than this is none. */
  static final int LINE_BYTES_MAX = 64 << 10;

  /** {@link #take}: the segment ends within the line. */
  public static final int CUT = -1;

  /** {@link #take}: the line is too long, or there is no memory to keep it. */
  public static final int TOO_LONG = -2;

  private static final int CAPACITY_MIN = 128;
  private static final byte[] NOTHING = {};

  private final MemoryBudget memory;
  private byte[] kept = NOTHING;
  private int keptLength;
  private byte[] line = NOTHING;
  private int from;
  private int to;

  /** A buffer without a line. */
  public LineBuffer(MemoryBudget memory) {
    this.memory = memory;
  }

  /** Whether a part of a line is kept. */
  public boolean isPartial() {
    return keptLength > 0;
  }

  /** Takes bytes up to the end of the line: the index behind it, or why there is none. */
  public int take(byte[] bytes, int at, int end) {
    int newline = Bytes.indexOf(bytes, at, end, (byte) '\n');
    int lineEnd = newline < 0 ? end : newline;
    if (keptLength + (lineEnd - at) > LINE_BYTES_MAX) {
      return TOO_LONG;
    }
    if (newline >= 0 && keptLength == 0) {
      complete(bytes, at, newline);
      return newline + 1;
    }
    if (!keep(bytes, at, lineEnd)) {
      return TOO_LONG;
    }
    if (newline < 0) {
      return CUT;
    }
    complete(kept, 0, keptLength);
    keptLength = 0;
    return newline + 1;
  }

  @SuppressWarnings("ReferenceEquality") // what matters is whether the collector must see a store
  private void complete(byte[] bytes, int start, int end) {
    // Most lines lie in the array of the line before.
    if (line != bytes) {
      line = bytes;
    }
    from = start;
    to = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
  }

  /** The array that holds the line that was completed last, valid as long as its segment. */
  public byte[] bytes() {
    return line;
  }

  /** The index of the line's first byte. */
  public int from() {
    return from;
  }

  /** The index behind the line's last byte, its line feed and carriage return left out. */
  public int to() {
    return to;
  }

  /** Forgets a part that is kept. */
  public void clear() {
    keptLength = 0;
  }

  /** Forgets a part that is kept and the last line, and gives back the memory. */
  public void release() {
    memory.giveBack(kept.length);
    complete(NOTHING, 0, 0);
    kept = NOTHING;
    keptLength = 0;
  }

  private boolean keep(byte[] bytes, int at, int end) {
    int needed = keptLength + end - at;
    if (needed > kept.length) {
      int capacity = Math.max(CAPACITY_MIN, Integer.highestOneBit(needed) * 2);
      if (!memory.take(capacity - kept.length)) {
        return false;
      }
      kept = Arrays.copyOf(kept, capacity);
    }
    System.arraycopy(bytes, at, kept, keptLength, end - at);
    keptLength = needed;
    return true;
  }
}
