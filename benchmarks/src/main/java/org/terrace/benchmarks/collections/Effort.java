package org.terrace.benchmarks.collections;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The amount and duration of measurements.
 *
 * @param subjects what is measured
 * @param runs how often what is compared by the median, each time with fresh servers
 * @param otherRuns how often the rest
 * @param warmSeconds how long each load runs before it counts, but the first
 * @param seconds how long it counts
 * @param churnKeys how many keys are put and removed for the growth of metadata
 * @param longest after which no run begins but the first of each subject
 * @param extras whether remote load, staleness and heap are measured, in the first run
 * @param peersPartitions whether the peers' networks are cut, in the first run
 */
record Effort(
    Set<Subject> subjects,
    int runs,
    int otherRuns,
    double warmSeconds,
    double seconds,
    int churnKeys,
    Duration longest,
    boolean extras,
    boolean peersPartitions) {
  private static final Duration USUAL = Duration.ofMinutes(27);
  private static final Duration FULL = Duration.ofHours(3);

  private static final double START_SECONDS = 6;
  private static final double LOADS = 3;
  private static final double PEKKO_SECONDS = 12;
  private static final double TERRACE_ALL_SECONDS = 18;
  private static final double EXTRA_SECONDS = 30;
  private static final double EXTRA_SECONDS_DATABASE = 12;
  private static final double CRASH_SECONDS = 4;
  private static final double APPEND_SECONDS = 25;
  private static final double PARTITION_SECONDS = 150;
  private static final double CHURN_KEYS_A_SECOND = 250_000;

  /** A rough answer in a minute or a little more: Terrace and Hazelcast, once. */
  static Effort quick() {
    return new Effort(
        EnumSet.of(
            Subject.TERRACE_LOCAL,
            Subject.TERRACE_ALL,
            Subject.HAZELCAST_REPLICATED_MAP,
            Subject.HAZELCAST_IMAP),
        1,
        1,
        2,
        2,
        200_000,
        USUAL,
        false,
        false);
  }

  /** All subjects, those that goals compare five times: less than half an hour. */
  static Effort usual() {
    return new Effort(EnumSet.allOf(Subject.class), 5, 1, 2, 2, 10_000_000, USUAL, true, false);
  }

  /** All subjects, at length and with the peers' partitions: two hours and more. */
  static Effort full() {
    return new Effort(EnumSet.allOf(Subject.class), 5, 3, 5, 4, 10_000_000, FULL, true, true);
  }

  /**
   * The time for which the first load runs before it counts, which finds all code to be compiled
   * yet.
   */
  double firstWarmSeconds() {
    return 2 * warmSeconds;
  }

  /** Every run of every subject, in order. */
  List<Progress.Step> plan() {
    List<Progress.Step> plan = new ArrayList<>();
    for (int run = 1; run <= Math.max(runs, otherRuns); run++) {
      int number = 1;
      for (Subject subject : subjects) {
        if (run <= runsOf(subject)) {
          plan.add(new Progress.Step(subject, number, run, expectedSeconds(subject, run == 1)));
        }
        number++;
      }
    }
    return plan;
  }

  /** Those whose puts have achieved the same are compared, and need a median. */
  private int runsOf(Subject subject) {
    return subject.level() == Level.ALL ? runs : otherRuns;
  }

  /** About as long as it took on two cores; Pekko's clusters take long to form. */
  private double expectedSeconds(Subject subject, boolean isFirst) {
    boolean isPekko = subject == Subject.PEKKO_LOCAL || subject == Subject.PEKKO_ALL;
    double extraSeconds =
        !extras ? CRASH_SECONDS : subject.isDatabase() ? EXTRA_SECONDS_DATABASE : EXTRA_SECONDS;
    double expected = START_SECONDS + LOADS * (warmSeconds + seconds);
    expected += firstWarmSeconds() - warmSeconds;
    expected += isPekko ? PEKKO_SECONDS : 0;
    expected += subject == Subject.TERRACE_ALL ? TERRACE_ALL_SECONDS : 0;
    if (subject.isForManyClients()) {
      return expected;
    }
    if (subject.isForOneClient()) {
      return START_SECONDS + firstWarmSeconds() + seconds;
    }
    if (isFirst) {
      expected += isPekko ? 2 * extraSeconds : extraSeconds;
      expected += extras && subject == Subject.TERRACE_ALL ? APPEND_SECONDS : 0;
      expected += subject == Subject.TERRACE_LOCAL ? churnKeys / CHURN_KEYS_A_SECOND : 0;
      expected += peersPartitions && !subject.isDatabase() ? PARTITION_SECONDS : 0;
    }
    return expected;
  }

  /** The same for these subjects alone. */
  Effort only(Set<Subject> chosen) {
    return new Effort(
        chosen, runs, otherRuns, warmSeconds, seconds, churnKeys, longest, extras, peersPartitions);
  }
}
