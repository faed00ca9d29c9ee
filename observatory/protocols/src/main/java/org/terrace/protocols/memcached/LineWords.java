package org.terrace.protocols.memcached;

import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/** The first words of a line, found anew for every line. Confined to one thread. */
final class LineWords {
  private static final int KEPT = 6;
  private static final int NUMBER_DIGITS_MAX = 10;

  private final int[] starts = new int[KEPT];
  private final int[] ends = new int[KEPT];
  private byte[] bytes = {};
  private int count;
  private int lastStart;
  private int lastEnd;
  private boolean quiet;

  void find(byte[] line, int from, int to) {
    bytes = line;
    count = 0;
    quiet = false;
    lastStart = from;
    lastEnd = from;
    int at = from;
    while (at < to) {
      int end = at;
      while (end < to && line[end] != ' ') {
        end++;
      }
      if (end > at) {
        word(at, end);
      }
      at = end + 1;
    }
  }

  private void word(int from, int to) {
    if (count < KEPT) {
      starts[count] = from;
      ends[count] = to;
    }
    quiet |= count > 0 && to - from == 1 && bytes[from] == 'q';
    count++;
    lastStart = from;
    lastEnd = to;
  }

  int count() {
    return count;
  }

  int start(int index) {
    return starts[index];
  }

  int end(int index) {
    return ends[index];
  }

  /** The number that a word is, or -1; of no word beyond the first {@value #KEPT}. */
  long number(int index) {
    return index < Math.min(count, KEPT)
        ? Ascii.decimal(bytes, starts[index], ends[index], NUMBER_DIGITS_MAX)
        : -1;
  }

  /** Whether a word is this one. */
  boolean is(int index, byte[] word) {
    return index < Math.min(count, KEPT) && equal(starts[index], ends[index], word);
  }

  /** Whether the last word is this one. */
  boolean lastIs(byte[] word) {
    return equal(lastStart, lastEnd, word);
  }

  /** Whether one of the words is the flag that asks for no answer unless it matters. */
  boolean isQuiet() {
    return quiet;
  }

  private boolean equal(int from, int to, byte[] word) {
    return Bytes.equal(bytes, from, to, word);
  }
}
