package org.terrace.benchmarks.invocation;

/**
 * The amount of work in each part.
 *
 * @param runs fresh pairs of processes for each subject
 * @param warmSeconds how long calls of each size are made before those that are measured
 * @param calls calls of each size that are measured
 * @param faults faults of each kind but the next
 * @param inFlightFaults crashes while a call is under way
 * @param standstills stops of a primary inside its transactions
 * @param restorations kills after which redundancy is awaited
 * @param auditKills kills during the audit of effects
 */
record Effort(
    int runs,
    int warmSeconds,
    int calls,
    int faults,
    int inFlightFaults,
    int standstills,
    int restorations,
    int auditKills) {

  static Effort quick() {
    return new Effort(1, 3, 10_000, 5, 5, 3, 3, 3);
  }

  static Effort full() {
    return new Effort(5, 5, 50_000, 20, 50, 20, 10, 100);
  }
}
