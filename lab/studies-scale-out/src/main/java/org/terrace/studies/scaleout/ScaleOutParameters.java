package org.terrace.studies.scaleout;

import java.time.Duration;
import java.util.List;
import org.terrace.studies.design.Parameters;

/**
 * The size of the study. Immutable.
 *
 * @param whole whether all numbers of servers are combined; otherwise only those that claims name
 * @param apps the numbers of application servers, rising
 * @param databases the numbers of databases, rising
 * @param users the loads, rising
 * @param repeats how often each load is run; the last holds for what is missing
 * @param thinkMillis the mean think time of a user
 * @param rampUp the time in which users come, before each run
 * @param run the length of each run
 * @param rampDown the time in which users go
 * @param sampleMillis the time between two readings of each server's resources
 * @param dataPermille the size of the data in thousandths of the published one
 * @param nodeMillicores the processor time of a normal node in thousandths of a core of the machine
 *     that the study was written on
 * @param lowCostMillicores the same of a low-cost node
 * @param attempts how often a trial is tried that fails
 */
record ScaleOutParameters(
    boolean whole,
    List<Integer> apps,
    List<Integer> databases,
    List<Integer> users,
    List<Integer> repeats,
    int thinkMillis,
    Duration rampUp,
    Duration run,
    Duration rampDown,
    int sampleMillis,
    int dataPermille,
    int nodeMillicores,
    int lowCostMillicores,
    int attempts) {
  private static final Duration LONGEST = Duration.ofHours(1);

  static ScaleOutParameters of(Parameters from) {
    return new ScaleOutParameters(
        from.flag("whole", false),
        sorted(from.integers("apps", 1, 20, List.of(1, 2, 3))),
        sorted(from.integers("databases", 1, 20, List.of(1, 2, 3))),
        sorted(from.integers("users", 1, 100_000, List.of(50, 120, 300))),
        from.integers("repeats", 1, 100, List.of(1, 1, 2)),
        from.integer("thinkMillis", 1, 60_000, 1_000),
        from.duration("rampUp", LONGEST, Duration.ofSeconds(2)),
        from.duration("run", LONGEST, Duration.ofSeconds(10)),
        from.duration("rampDown", LONGEST, Duration.ofMillis(500)),
        from.integer("sampleMillis", 100, 60_000, 500),
        from.integer("dataPermille", 1, 10_000, 2),
        from.integer("nodeMillicores", 10, 64_000, 150),
        from.integer("lowCostMillicores", 10, 64_000, 40),
        from.integer("attempts", 1, 10, 2));
  }

  private static List<Integer> sorted(List<Integer> numbers) {
    return numbers.stream().distinct().sorted().toList();
  }

  /** The number of repeats of a load, by its place among the loads. */
  int repeats(int load) {
    return repeats.get(Math.min(load, repeats.size() - 1));
  }

  /** The most application servers. */
  int mostApps() {
    return apps.getLast();
  }

  /** The most databases. */
  int mostDatabases() {
    return databases.getLast();
  }
}
