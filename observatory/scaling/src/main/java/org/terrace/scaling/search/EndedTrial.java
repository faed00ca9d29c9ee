package org.terrace.scaling.search;

import org.terrace.scaling.MeshTrial;

/**
 * A trial that has ended. Immutable.
 *
 * @param trial the trial, done or failed
 * @param round the number of the round in which it ended, from 1
 */
public record EndedTrial(MeshTrial trial, int round) {
  /** Checks the number. */
  public EndedTrial {
    if (round < 1) {
      throw new IllegalArgumentException("rounds are counted from 1, and this is " + round);
    }
  }
}
