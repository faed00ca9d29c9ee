package org.terrace.experiment;

/**
 * The turn of a trial among those that use the same servers one after another. Immutable.
 *
 * @param number its number, from 1
 * @param rowsAtStart the rows that the database had when the first of them began
 * @param rowsBefore the rows that it had when this one began
 * @param rowsWritten the rows that it has more at the end of this one
 */
public record SharedTurn(int number, long rowsAtStart, long rowsBefore, long rowsWritten) {
  /** The part by which the rows may grow before other servers, with new data, take over. */
  public static final double MOST_GROWTH = 0.1;

  /** Whether the data have grown so much that other servers are to take over. */
  boolean isLast() {
    return rowsBefore + rowsWritten > rowsAtStart * (1 + MOST_GROWTH);
  }
}
