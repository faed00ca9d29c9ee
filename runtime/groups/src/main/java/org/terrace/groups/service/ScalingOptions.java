package org.terrace.groups.service;

/**
 * The conditions under which a service gets another replica, or gives one up. Immutable.
 *
 * @param replicasMin fewest replicas, 1 or more
 * @param replicasMax most replicas
 * @param loadHigh mean load above which there are too few
 * @param loadLow mean load below which there are too many; must leave room for what the remaining
 *     replicas take over
 * @param rounds how many rounds in a row it must be so
 * @param pauseRounds how many rounds nothing is changed after a change, for it to show
 */
public record ScalingOptions(
    int replicasMin,
    int replicasMax,
    double loadHigh,
    double loadLow,
    int rounds,
    int pauseRounds) {
  /** Checks the ranges. */
  public ScalingOptions {
    if (replicasMin < 1 || replicasMax < replicasMin) {
      throw new IllegalArgumentException(
          "expected 1 <= replicasMin <= replicasMax, got " + replicasMin + " and " + replicasMax);
    }
    if (!(loadLow >= 0 && loadLow < loadHigh)) {
      throw new IllegalArgumentException(
          "expected 0 <= loadLow < loadHigh, got " + loadLow + " and " + loadHigh);
    }
    if (rounds < 1 || pauseRounds < 0) {
      throw new IllegalArgumentException(
          "expected rounds of 1 or more and pauseRounds of 0 or more");
    }
  }

  /**
   * The default options: between 1 and 8 replicas; more above 0.75, fewer below 0.25, after 5
   * rounds of it.
   */
  public static ScalingOptions defaults() {
    return new ScalingOptions(1, 8, 0.75, 0.25, 5, 10);
  }
}
