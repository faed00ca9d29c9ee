package org.terrace.experiment;

import java.time.Duration;

/** A distribution of durations, for example of the time a user thinks. Immutable. */
public sealed interface Distribution {

  /** The mean of the distribution. */
  Duration mean();

  /**
   * The exponential distribution.
   *
   * @param mean its mean, more than zero
   */
  record Exponential(Duration mean) implements Distribution {
    /** Checks that the mean is positive. */
    public Exponential {
      if (mean.isZero() || mean.isNegative()) {
        throw new IllegalArgumentException("mean " + mean);
      }
    }
  }

  /**
   * The same duration each time.
   *
   * @param mean the duration, zero or more
   */
  record Constant(Duration mean) implements Distribution {
    /** Checks that the duration is not negative. */
    public Constant {
      if (mean.isNegative()) {
        throw new IllegalArgumentException("duration " + mean);
      }
    }
  }
}
