package org.terrace.scaling;

/**
 * A configuration under a load of which trials were run and none was done. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param failed the trials, at least one
 */
public record LostCell(Configuration configuration, int users, FailedTrials failed) {
  /** Checks that a trial failed. */
  public LostCell {
    if (!failed.any()) {
      throw new IllegalArgumentException("a cell is lost by a trial that failed");
    }
  }
}
