package org.terrace.testing.isolation;

import java.util.List;

/** A step of a transaction on one list of numbers. */
public sealed interface ListStep {
  /** The list. */
  int list();

  /**
   * Appends an element, which nobody else appends to any list.
   *
   * @param list the list
   * @param element the element
   */
  record Append(int list, long element) implements ListStep {}

  /**
   * Reads a list.
   *
   * @param list the list
   * @param seen its elements as they were read
   */
  record Read(int list, List<Long> seen) implements ListStep {
    /** Copies the elements. */
    public Read {
      seen = List.copyOf(seen);
    }
  }
}
