package org.terrace.groups.builtin;

/**
 * The latest frames of one sender that have been received: each number is accepted once, and none
 * that is older than the window. Confined.
 */
final class ReplayWindow {
  private static final int SIZE = 4_096;
  private static final int WORD = Long.SIZE;

  private final long[] seen = new long[SIZE / WORD];
  private long highest;

  /** Whether the number is new; it is noted. */
  boolean accept(long number) {
    if (number <= 0 || number <= highest - SIZE) {
      return false;
    }
    if (number > highest) {
      long clearFrom = Math.max(highest + 1, number - SIZE + 1);
      for (long i = 0; i <= number - clearFrom; i++) {
        set(clearFrom + i, false);
      }
      highest = number;
    } else if (isSet(number)) {
      return false;
    }
    set(number, true);
    return true;
  }

  private boolean isSet(long number) {
    int bit = (int) (number % SIZE);
    return (seen[bit / WORD] & 1L << (bit % WORD)) != 0;
  }

  private void set(long number, boolean value) {
    int bit = (int) (number % SIZE);
    long mask = 1L << (bit % WORD);
    seen[bit / WORD] = value ? seen[bit / WORD] | mask : seen[bit / WORD] & ~mask;
  }
}
