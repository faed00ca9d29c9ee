package org.terrace.scaling;

/**
 * A configuration under a load of which nothing is known: none of its trials was done, or fewer
 * than failed. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param done the number of its trials that were done
 * @param failed those that failed, at least one
 */
public record LostCell(Configuration configuration, int users, int done, FailedTrials failed) {
  /** Checks that more trials failed than were done. */
  public LostCell {
    if (failed.count() <= done) {
      throw new IllegalArgumentException("a cell is lost by trials that failed");
    }
  }

  /** A cell of which no trial was done. */
  public LostCell(Configuration configuration, int users, FailedTrials failed) {
    this(configuration, users, 0, failed);
  }
}
