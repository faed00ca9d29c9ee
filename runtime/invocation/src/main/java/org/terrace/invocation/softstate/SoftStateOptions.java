package org.terrace.invocation.softstate;

import java.time.Duration;

/**
 * The settings by which a front end spreads calls over the replicas of a soft-state service.
 * Immutable.
 *
 * @param redundancy k: to how many replicas a read is sent at once, 1 to {@value #REDUNDANCY_MAX};
 *     fewer if there are fewer
 * @param discovery how the replicas for reads are found
 * @param healthProbePeriod how often each replica is asked how it is
 * @param hedgeMin the least wait before a read that hangs is sent to one more replica
 * @param hedgeMax the longest such wait
 * @param hedgeShareMax how many hedges there may be for each read, 0 to 1; 0 for none
 * @param answerMin the least wait before an update that hangs is asked of the next replica
 * @param answerMax the longest such wait
 */
public record SoftStateOptions(
    int redundancy,
    Discovery discovery,
    Duration healthProbePeriod,
    Duration hedgeMin,
    Duration hedgeMax,
    double hedgeShareMax,
    Duration answerMin,
    Duration answerMax) {
  /** Largest redundancy. */
  public static final int REDUNDANCY_MAX = 16;

  /** The way in which the replicas for reads are found. */
  public enum Discovery {
    /** Periodic health probes, which find those that answer fastest now. */
    ADAPTIVE,
    /**
     * The first read is sent to all, and later ones to the one that replied first, for as long as
     * it can be reached: the baseline of section 4.3 of the paper.
     */
    FIRST_REPLY
  }

  /** Checks the ranges. */
  public SoftStateOptions {
    if (redundancy < 1 || redundancy > REDUNDANCY_MAX) {
      throw new IllegalArgumentException(
          "redundancy is 1 to " + REDUNDANCY_MAX + ", not " + redundancy);
    }
    if (!(hedgeShareMax >= 0 && hedgeShareMax <= 1)) {
      throw new IllegalArgumentException("hedgeShareMax is 0 to 1, not " + hedgeShareMax);
    }
    if (!healthProbePeriod.isPositive()) {
      throw new IllegalArgumentException("healthProbePeriod is positive, not " + healthProbePeriod);
    }
    checkRange("hedge", hedgeMin, hedgeMax);
    checkRange("answer", answerMin, answerMax);
  }

  private static void checkRange(String name, Duration min, Duration max) {
    if (!min.isPositive() || max.compareTo(min) < 0) {
      throw new IllegalArgumentException(
          name + "Min is positive and at most " + name + "Max, not " + min + " and " + max);
    }
  }

  /**
   * Reads go to one replica and, after the time that 19 of 20 reads took, to a second; at most one
   * read in ten does. Updates wait at most a second for an answer.
   */
  public static SoftStateOptions defaults() {
    return new SoftStateOptions(
        1,
        Discovery.ADAPTIVE,
        Duration.ofMillis(200),
        Duration.ofMillis(2),
        Duration.ofMillis(250),
        0.1,
        Duration.ofMillis(50),
        Duration.ofSeconds(1));
  }

  /** The same with another redundancy. */
  public SoftStateOptions withRedundancy(int newRedundancy) {
    return new SoftStateOptions(
        newRedundancy,
        discovery,
        healthProbePeriod,
        hedgeMin,
        hedgeMax,
        hedgeShareMax,
        answerMin,
        answerMax);
  }

  /** The same with another discovery. */
  public SoftStateOptions withDiscovery(Discovery newDiscovery) {
    return new SoftStateOptions(
        redundancy,
        newDiscovery,
        healthProbePeriod,
        hedgeMin,
        hedgeMax,
        hedgeShareMax,
        answerMin,
        answerMax);
  }

  /** The same with another limit on hedges. */
  public SoftStateOptions withHedgeShareMax(double newHedgeShareMax) {
    return new SoftStateOptions(
        redundancy,
        discovery,
        healthProbePeriod,
        hedgeMin,
        hedgeMax,
        newHedgeShareMax,
        answerMin,
        answerMax);
  }
}
