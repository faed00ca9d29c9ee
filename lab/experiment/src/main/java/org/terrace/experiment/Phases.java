package org.terrace.experiment;

import java.time.Duration;

/**
 * The three stretches of a trial. Results are computed over the run alone. Immutable.
 *
 * @param rampUp while load grows, zero or more
 * @param run the measured part, more than zero
 * @param rampDown while load ebbs, zero or more
 */
public record Phases(Duration rampUp, Duration run, Duration rampDown) {
  /** Checks that the run is there and nothing is negative. */
  public Phases {
    if (rampUp.isNegative() || rampDown.isNegative() || run.isNegative() || run.isZero()) {
      throw new IllegalArgumentException(rampUp + ", " + run + ", " + rampDown);
    }
  }

  /** The length of the three together. */
  public Duration total() {
    return rampUp.plus(run).plus(rampDown);
  }
}
