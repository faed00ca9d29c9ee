package org.terrace.collections.structures.causality;

import java.util.Comparator;

/**
 * One update of one writer; the order is the same for all, and tells nothing of time. Immutable.
 */
public record Dot(long writer, long sequence) implements Comparable<Dot> {
  private static final Comparator<Dot> ORDER =
      Comparator.comparingLong(Dot::writer).thenComparingLong(Dot::sequence);

  @Override
  public int compareTo(Dot other) {
    return ORDER.compare(this, other);
  }
}
