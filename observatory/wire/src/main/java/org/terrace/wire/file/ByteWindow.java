package org.terrace.wire.file;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

/**
 * A window that slides over a stream of bytes: one reused array of bounded size, in which what lies
 * ahead is read in large pieces and what lies behind is kept as long as somebody holds it.
 * Positions are absolute in the stream, so they stay valid while the window moves. Confined to one
 * thread.
 *
 * <p>A stream that fails midway counts as ended, and the failure is counted.
 */
public final class ByteWindow {
  /** The most that may be asked for at once. */
  static final int REQUIRE_BYTES_MAX = 2 << 20;

  /** The most that may be held behind the position. */
  static final int HELD_BYTES_MAX = 4 << 20;

  /**
   * The most bytes that are read at once: few enough to be still in the processor's cache when
   * parsed.
   */
  private static final int READ_BYTES = 512 << 10;

  private static final int CAPACITY_MIN = 1 << 20;
  private static final int CAPACITY_MAX = HELD_BYTES_MAX + REQUIRE_BYTES_MAX + READ_BYTES;

  private final InputStream input;
  private final Counters counters;
  private byte[] bytes = new byte[CAPACITY_MIN];
  private long origin;
  private long keepFrom;
  private int index;
  private int limit;
  private boolean ended;

  /** A window over a stream from its current position; the caller closes the stream. */
  public ByteWindow(InputStream input, Counters counters) {
    this.input = input;
    this.counters = counters;
  }

  /**
   * The array; its content from {@link #index()} on is what lies ahead. It may be another one after
   * more was required.
   */
  byte[] bytes() {
    return bytes;
  }

  /** The index in the array of the current position. */
  int index() {
    return index;
  }

  /** The current position in the stream. */
  long position() {
    return origin + index;
  }

  /** The index in the array of a position that is held or ahead. */
  int indexOf(long position) {
    return (int) (position - origin);
  }

  /** Bytes ahead that are in the array already. */
  int available() {
    return limit - index;
  }

  /** Moves the position forward over bytes that are in the array. */
  void advance(int count) {
    index += count;
  }

  /** Keeps everything from a position on in the array; at most 4 MB behind the current one. */
  void keepFrom(long position) {
    keepFrom = position;
  }

  /** Whether so many bytes lie ahead; reads them when they are not in the array yet. */
  boolean require(int count) {
    return limit - index >= count || fill(count);
  }

  private boolean fill(int count) {
    if (count > REQUIRE_BYTES_MAX) {
      throw new IllegalArgumentException("asked for " + count + " bytes at once");
    }
    if (ended) {
      return false;
    }
    if (bytes.length - index < count + READ_BYTES) {
      slide();
      if (bytes.length - index < count + READ_BYTES && bytes.length < CAPACITY_MAX) {
        bytes = Arrays.copyOf(bytes, Math.min(CAPACITY_MAX, bytes.length * 2 + count));
      }
    }
    if (bytes.length - index < count) {
      throw new IllegalStateException("more is held than " + HELD_BYTES_MAX + " bytes");
    }
    while (limit - index < count && !ended) {
      int read = read();
      if (read < 0) {
        ended = true;
      } else {
        limit += read;
      }
    }
    return limit - index >= count;
  }

  private void slide() {
    int first = (int) (Math.min(position(), keepFrom) - origin);
    if (first > 0) {
      System.arraycopy(bytes, first, bytes, 0, limit - first);
      origin += first;
      index -= first;
      limit -= first;
    }
  }

  private int read() {
    try {
      return input.read(bytes, limit, Math.min(READ_BYTES, bytes.length - limit));
    } catch (EOFException e) {
      counters.increment(WireCount.TRUNCATED_FILES);
    } catch (IOException e) {
      counters.increment(WireCount.READ_ERRORS);
    }
    return -1;
  }
}
