package org.terrace.studies.transients;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.terrace.studies.design.Parameters;

/**
 * The size of the study. Immutable.
 *
 * @param runs the runs to do, by their folders; claims about others cannot be told
 * @param rampUp the time in which users come, before each run
 * @param run the length of each run
 * @param collectorUsers the users of the lower and of the higher load of the collector's case
 * @param governorUsers the users of the three loads of the governor's case
 * @param thinkMillis the mean think time of a user
 * @param heapMebibytes the heap of the application server
 * @param collectors the collector that stops the world, and the concurrent one
 * @param databaseMillicores the processor time of the database at its fastest clock, in thousandths
 *     of a core of the machine that the study was written on
 * @param lag the time between two decisions of an emulated governor
 * @param burstEvery the mean time from one burst of the load to the next
 * @param burst the mean length of a burst
 * @param burstFactor how many times faster users are in a burst
 * @param slot how long each way of watching is on at a time
 * @param slots how often each is on
 */
record TransientParameters(
    List<TransientSetting> runs,
    Duration rampUp,
    Duration run,
    List<Integer> collectorUsers,
    List<Integer> governorUsers,
    int thinkMillis,
    int heapMebibytes,
    List<String> collectors,
    int databaseMillicores,
    Duration lag,
    Duration burstEvery,
    Duration burst,
    int burstFactor,
    Duration slot,
    int slots) {
  private static final int MOST_USERS = 20_000;
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Set<String> COLLECTORS =
      Set.of("serial", "parallel", "g1", "zgc", "shenandoah");

  static TransientParameters of(Parameters from) {
    Map<String, TransientSetting> settings = new LinkedHashMap<>();
    for (TransientSetting setting : TransientSetting.values()) {
      settings.put(setting.folder(), setting);
    }
    List<String> all = List.copyOf(settings.keySet());
    return new TransientParameters(
        from.words("runs", settings.keySet(), all).stream().map(settings::get).toList(),
        from.duration("rampUp", LONGEST, Duration.ofSeconds(4)),
        from.duration("run", LONGEST, Duration.ofSeconds(15)),
        two(from.integers("collectorUsers", 1, MOST_USERS, List.of(100, 250)), 2),
        two(from.integers("governorUsers", 1, MOST_USERS, List.of(100, 200, 300)), 3),
        from.integer("thinkMillis", 1, 60_000, 1_000),
        from.integer("heapMebibytes", 64, 65_536, 256),
        from.words("collectors", COLLECTORS, List.of("serial", "shenandoah")),
        from.integer("databaseMillicores", 20, 64_000, 300),
        from.duration("lag", LONGEST, Duration.ofMillis(500)),
        from.duration("burstEvery", LONGEST, Duration.ofSeconds(2)),
        from.duration("burst", LONGEST, Duration.ofMillis(400)),
        from.integer("burstFactor", 2, 1_000, 3),
        from.duration("slot", LONGEST, Duration.ofSeconds(2)),
        from.integer("slots", 2, 1_000, 4));
  }

  /** As many numbers as there are loads: the last one stands for what is missing. */
  private static List<Integer> two(List<Integer> given, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> given.get(Math.min(i, given.size() - 1)))
        .toList();
  }

  /** The users of a setting. */
  int users(TransientSetting setting) {
    return switch (setting) {
      case COLLECTOR_LOW -> collectorUsers.get(0);
      case COLLECTOR_HIGH, COLLECTOR_CURED -> collectorUsers.get(1);
      case GOVERNOR_LOW -> governorUsers.get(0);
      case GOVERNOR_MIDDLE, FASTEST_MIDDLE -> governorUsers.get(1);
      case GOVERNOR_HIGH, FASTEST_HIGH -> governorUsers.get(2);
    };
  }

  /** The collector of a setting's application server. */
  String collector(TransientSetting setting) {
    return setting == TransientSetting.COLLECTOR_CURED
        ? collectors.getLast()
        : collectors.getFirst();
  }
}
