package org.terrace.scaling.bottleneck;

/**
 * The numbers that decide what is saturated. The source gives the words without them, so they are
 * assumptions, and a plan prints them. Immutable.
 *
 * @param saturated the share of a resource in use from which a sample counts as saturated
 * @param full the share of saturated samples from which a resource is fully saturated
 * @param partial the share of saturated samples from which a resource is partially saturated
 * @param union the share of samples in which any resource is saturated, from which resources that
 *     are rarely saturated one by one are a bottleneck together
 * @param rare the least share of saturated samples of a resource that belongs to such a union
 * @param permutations the permutations of the test for dependence, at most
 * @param level the probability below which resources are called dependent
 * @param plateau the share of the initial slope below which throughput grows no more
 */
public record SaturationRules(
    double saturated,
    double full,
    double partial,
    double union,
    double rare,
    int permutations,
    double level,
    double plateau) {
  /** The rules of every plan that names no others. */
  public static final SaturationRules DEFAULT =
      new SaturationRules(0.95, 0.90, 0.05, 0.5, 0.01, 999, 0.005, 0.2);

  /** Checks the order of the shares. */
  public SaturationRules {
    boolean ordered = 0 < rare && rare <= partial && partial < full && full <= 1;
    if (!ordered || !(saturated > 0 && saturated <= 1) || !(union > partial && union <= 1)) {
      throw new IllegalArgumentException(
          "expected 0 < rare <= partial < full <= 1 and partial < union <= 1");
    }
    if (permutations < 1 || !(level * (permutations + 1) >= 1) || !(plateau > 0 && plateau < 1)) {
      throw new IllegalArgumentException(
          permutations + " permutations cannot reach the level " + level);
    }
  }
}
