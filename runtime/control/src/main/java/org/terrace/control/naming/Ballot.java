package org.terrace.control.naming;

import java.util.Comparator;

/**
 * The rank of a round of voting; no two rounds share one.
 *
 * @param counter grows with each round
 * @param proposer who holds the round: drawn at random once for each incarnation of a process
 */
public record Ballot(long counter, long proposer) implements Comparable<Ballot> {
  /** An age is that many rounds; the first begins with counter 0. */
  private static final long AGE = 1L << 40;

  /** The highest counter: of the last round of the last age. */
  static final long COUNTER_MAX = (1L << 61) - 1;

  /** Below every round. */
  static final Ballot NONE = new Ballot(0, 0);

  private static final Comparator<Ballot> ORDER =
      Comparator.comparingLong(Ballot::counter).thenComparingLong(Ballot::proposer);

  /** Refuses a counter below zero. */
  public Ballot {
    if (counter < 0) {
      throw new IllegalArgumentException("A ballot's counter is not negative: " + counter);
    }
  }

  /** The first counter of the age of a counter. */
  static long ageOf(long counter) {
    return counter / AGE * AGE;
  }

  /** The first counter of the age after that of a counter. */
  static long nextAge(long counter) {
    return ageOf(counter) + AGE;
  }

  @Override
  public int compareTo(Ballot other) {
    return ORDER.compare(this, other);
  }
}
