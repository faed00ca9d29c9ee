package org.terrace.benchmarks.collections;

import java.util.EnumSet;
import java.util.Set;

/**
 * How much is measured, and for how long.
 *
 * @param subjects what is measured
 * @param runs how often, each time with fresh servers
 * @param clients how many clients that think there are at most
 * @param warmSeconds how long each load runs before it counts
 * @param seconds how long it counts
 * @param churnKeys how many keys are put and removed for the growth of metadata
 * @param extras whether remote load, staleness, heap, and the peers' partitions are measured, in
 *     the first run
 */
record Effort(
    Set<Subject> subjects,
    int runs,
    int clients,
    double warmSeconds,
    double seconds,
    int churnKeys,
    boolean extras,
    boolean peersPartitions) {
  private static final int CLIENTS = 1_024;

  /** A rough answer in a minute or a little more: Terrace and Hazelcast, once. */
  static Effort quick() {
    return new Effort(
        EnumSet.of(
            Subject.TERRACE_LOCAL,
            Subject.TERRACE_ALL,
            Subject.HAZELCAST_REPLICATED_MAP,
            Subject.HAZELCAST_IMAP),
        1,
        CLIENTS,
        2,
        2,
        200_000,
        false,
        false);
  }

  /** All subjects, twice: about 20 minutes. */
  static Effort usual() {
    return new Effort(EnumSet.allOf(Subject.class), 2, CLIENTS, 2, 2, 10_000_000, true, false);
  }

  /** All subjects, several times and at length, and the peers' partitions: an hour and more. */
  static Effort full() {
    return new Effort(EnumSet.allOf(Subject.class), 3, CLIENTS, 5, 4, 10_000_000, true, true);
  }

  /** The same for these subjects alone. */
  Effort only(Set<Subject> chosen) {
    return new Effort(
        chosen, runs, clients, warmSeconds, seconds, churnKeys, extras, peersPartitions);
  }
}
