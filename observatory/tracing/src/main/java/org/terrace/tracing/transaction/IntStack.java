package org.terrace.tracing.transaction;

import java.util.Arrays;

/** A stack of numbers without boxes. Confined to one thread. */
final class IntStack {
  private int[] values = new int[16];
  private int size;

  void push(int value) {
    values = size == values.length ? Arrays.copyOf(values, 2 * size) : values;
    values[size++] = value;
  }

  int pop() {
    return values[--size];
  }

  boolean isEmpty() {
    return size == 0;
  }
}
