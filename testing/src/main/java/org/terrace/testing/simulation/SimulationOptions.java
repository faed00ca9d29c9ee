package org.terrace.testing.simulation;

import java.util.random.RandomGenerator;

/**
 * The constant misbehaviour of a simulated network and its clocks, beside the faults that a test or
 * a {@link FaultPlan} injects.
 *
 * @param lossProbability share of messages that never arrive, 0 to 1
 * @param duplicateProbability share of messages that arrive twice, 0 to 1
 * @param slowProbability share of messages that take up to {@value #SLOW_FACTOR} times the longest
 *     ordinary delay, and so overtake nothing and are overtaken by much, 0 to 1
 * @param delayMinNanos shortest delay of a message
 * @param delayMaxNanos longest ordinary delay; any spread reorders messages
 * @param clockSkewMaxNanos how far the wall clock of a node may be off, to either side
 */
public record SimulationOptions(
    double lossProbability,
    double duplicateProbability,
    double slowProbability,
    long delayMinNanos,
    long delayMaxNanos,
    long clockSkewMaxNanos) {
  static final int SLOW_FACTOR = 50;
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  /** Checks the ranges. */
  public SimulationOptions {
    checkShare("lossProbability", lossProbability);
    checkShare("duplicateProbability", duplicateProbability);
    checkShare("slowProbability", slowProbability);
    if (delayMinNanos < 0 || delayMaxNanos < delayMinNanos || clockSkewMaxNanos < 0) {
      throw new IllegalArgumentException(
          "expected 0 <= delayMinNanos <= delayMaxNanos and a skew of 0 or more, got "
              + delayMinNanos
              + ", "
              + delayMaxNanos
              + ", "
              + clockSkewMaxNanos);
    }
  }

  /** A network that loses, duplicates and reorders nothing: every message takes 50 microseconds. */
  public static SimulationOptions calm() {
    return new SimulationOptions(0, 0, 0, 50 * MICRO, 50 * MICRO, 0);
  }

  /** A network with the given loss, some duplication, spread delays and clocks off by 5 seconds. */
  public static SimulationOptions lossy(double lossProbability) {
    return new SimulationOptions(lossProbability, 0.05, 0.02, 50 * MICRO, 2 * MILLI, 5_000 * MILLI);
  }

  /** Options drawn at random, so that many seeds together cover many kinds of bad weather. */
  public static SimulationOptions swarm(RandomGenerator random) {
    long delayMin = random.nextLong(10 * MICRO, MILLI);
    return new SimulationOptions(
        random.nextBoolean() ? 0 : random.nextDouble(0.4),
        random.nextBoolean() ? 0 : random.nextDouble(0.3),
        random.nextBoolean() ? 0 : random.nextDouble(0.1),
        delayMin,
        delayMin + (random.nextBoolean() ? 0 : random.nextLong(20 * MILLI)),
        random.nextBoolean() ? 0 : random.nextLong(10_000 * MILLI));
  }

  private static void checkShare(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + " is a share of 0 to 1, got " + share);
    }
  }
}
