package org.terrace.control.naming;

/**
 * The rounds of one proposer: how far it has counted, and how far it may.
 *
 * <p>A proposer holds no round of an age before it knows that at one moment a majority took part in
 * no round of an earlier one: see {@link Proposal}. Confined to the thread of its proposer.
 */
final class Rounds {
  private final long proposer;
  private long counter;
  private long entered;

  /**
   * The rounds of a proposer that has held none.
   *
   * @param proposer drawn at random, once for each incarnation of a process
   */
  Rounds(long proposer) {
    this(proposer, 0, -1);
  }

  /**
   * The rounds of a proposer from a counter on.
   *
   * @param entered the first counter of the latest age entered; below 0 if none was
   */
  Rounds(long proposer, long counter, long entered) {
    this.proposer = proposer;
    this.counter = counter;
    this.entered = entered;
  }

  /** The counter of the last round begun. */
  long counter() {
    return counter;
  }

  /** The rank of the last round begun. */
  Ballot ballot() {
    return new Ballot(counter, proposer);
  }

  /** Begins the next round. */
  void next() {
    counter++;
  }

  /** Goes on after a counter that somebody has seen. */
  void goBeyond(long seen) {
    counter = Math.max(counter, seen);
  }

  /** Whether the last round begun is of an age that was entered. */
  boolean isEntered() {
    return Ballot.ageOf(counter) <= entered;
  }

  /** The age of the last round begun may be held from now on. */
  void enter() {
    entered = Math.max(entered, Ballot.ageOf(counter));
  }
}
