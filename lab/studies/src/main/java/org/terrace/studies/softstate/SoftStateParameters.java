package org.terrace.studies.softstate;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.terrace.studies.design.Parameters;

/**
 * The size of a run of the study.
 *
 * @param clients numbers of concurrent clients of figure 4
 * @param stores where the cart is kept, by the names of {@link Store}
 * @param warmUp time before each measurement
 * @param measure length of each measurement of the cart
 * @param crashes how many replicas are killed
 * @param attackAfter when the rogue clients of figure 5 begin
 * @param attack how long they last
 * @param observe how long staleness is observed, from the start
 * @param queue calls that a replica of figure 5 takes at once; it drops more
 * @param replicas numbers of replicas of figure 6
 * @param petStore number of replicas of figures 7 and 8
 * @param petMeasure length of each measurement of the pet store
 * @param servicesAPage numbers of services of a page, figure 8
 * @param redundancy replicas that each read is sent to, figure 8
 */
record SoftStateParameters(
    List<Integer> clients,
    List<Store> stores,
    Duration warmUp,
    Duration measure,
    int crashes,
    Duration attackAfter,
    Duration attack,
    Duration observe,
    int queue,
    List<Integer> replicas,
    int petStore,
    Duration petMeasure,
    List<Integer> servicesAPage,
    List<Integer> redundancy) {
  private static final int CLIENTS_MAX = 4_096;
  private static final int REPLICAS_MAX = 60;
  private static final int QUEUE_MAX = 4_096;
  private static final int SERVICES = 7;
  private static final int REDUNDANCY_MAX = 16;
  private static final int CRASHES_MAX = 100;
  private static final Duration MEASURE_MAX = Duration.ofMinutes(5);

  static SoftStateParameters of(Parameters from) {
    List<String> stores = Stream.of(Store.values()).map(Store::word).toList();
    return new SoftStateParameters(
        from.integers("clients", 1, CLIENTS_MAX, List.of(1, 32, 256)),
        from.words("stores", Set.copyOf(stores), stores).stream().map(Store::of).toList(),
        from.duration("warmUp", MEASURE_MAX, Duration.ofSeconds(1)),
        from.duration("measure", MEASURE_MAX, Duration.ofSeconds(2)),
        from.integer("crashes", 1, CRASHES_MAX, 2),
        from.duration("attackAfter", MEASURE_MAX, Duration.ofSeconds(4)),
        from.duration("attack", MEASURE_MAX, Duration.ofSeconds(8)),
        from.duration("observe", MEASURE_MAX, Duration.ofSeconds(20)),
        from.integer("queue", 1, QUEUE_MAX, 32),
        from.integers("replicas", 1, REPLICAS_MAX, List.of(1, 3)),
        from.integer("petStore", 1, REPLICAS_MAX, 3),
        from.duration("petMeasure", MEASURE_MAX, Duration.ofSeconds(2)),
        from.integers("servicesAPage", 1, SERVICES, List.of(1, SERVICES)),
        from.integers("redundancy", 1, REDUNDANCY_MAX, List.of(1, 2)));
  }
}
