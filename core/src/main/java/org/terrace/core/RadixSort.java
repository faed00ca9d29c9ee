package org.terrace.core;

import java.util.Arrays;

/**
 * Sorts non-negative longs by their digits, least significant first. Confined to one thread; keeps
 * its scratch memory between calls. Takes O(n) for each {@value #DIGIT_BITS} significant bits of
 * the largest value.
 */
public final class RadixSort {
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int MASK = DIGITS - 1;

  /** Below this length the counting costs more than comparing. */
  private static final int COMPARISON_LIMIT = 600;

  private final int[] counts = new int[DIGITS];
  private long[] scratch = new long[0];

  /** Sorts {@code values[from, to)} ascending. */
  public void sort(long[] values, int from, int to) {
    int length = to - from;
    if (length < COMPARISON_LIMIT) {
      Arrays.sort(values, from, to);
      return;
    }
    if (scratch.length < length) {
      scratch = new long[length];
    }
    long union = 0;
    for (int i = from; i < to; i++) {
      union |= values[i];
    }
    long[] source = values;
    int sourceFrom = from;
    long[] target = scratch;
    int targetFrom = 0;
    boolean inScratch = false;
    for (int shift = 0; shift < Long.SIZE && union >>> shift != 0; shift += DIGIT_BITS) {
      pass(source, sourceFrom, target, targetFrom, length, shift);
      long[] swap = source;
      source = target;
      target = swap;
      int swapFrom = sourceFrom;
      sourceFrom = targetFrom;
      targetFrom = swapFrom;
      inScratch = !inScratch;
    }
    if (inScratch) {
      System.arraycopy(source, sourceFrom, values, from, length);
    }
  }

  private void pass(
      long[] source, int sourceFrom, long[] target, int targetFrom, int length, int shift) {
    Arrays.fill(counts, 0);
    for (int i = sourceFrom; i < sourceFrom + length; i++) {
      counts[(int) (source[i] >>> shift) & MASK]++;
    }
    int next = targetFrom;
    for (int digit = 0; digit < DIGITS; digit++) {
      int count = counts[digit];
      counts[digit] = next;
      next += count;
    }
    for (int i = sourceFrom; i < sourceFrom + length; i++) {
      long value = source[i];
      target[counts[(int) (value >>> shift) & MASK]++] = value;
    }
  }
}
