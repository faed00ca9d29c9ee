package org.terrace.specification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;

/** The kinds of faults, and the servers of an experiment that each can strike. Immutable. */
final class FaultKinds {
  static final String KILL = "kill";
  static final String PAUSE = "pause";
  static final String GC_PRESSURE = "gc-pressure";
  static final String CPU = "cpu";
  static final String MEMORY = "memory";
  static final String LOCK_CONVOY = "lock-convoy";
  static final String ROW_LOCK = "row-lock";
  static final String CHECKPOINT = "checkpoint";
  static final String SLOW_DISK = "slow-disk";
  static final String SYN_DROP = "syn-drop";
  static final String CUT = "cut";
  static final String LOSS = "loss";
  static final String BANDWIDTH = "bandwidth";
  static final String DELAY = "delay";
  static final String BURST = "burst";

  /** A word for what is refused, with the reason. */
  static final String CLOCK_STEP = "clock-step";

  static final String NO_CLOCK_STEP =
      "clock-step is refused on every host: all times of a result are read from the clock that it would set, and nothing would set it right if its maker were killed (docs/decisions/0487); a program of your own can be given another clock by libfaketime, in its 'environment'";

  /** All kinds, in the order in which they are listed to people. */
  static final List<String> ALL =
      List.of(
          KILL,
          PAUSE,
          GC_PRESSURE,
          CPU,
          MEMORY,
          LOCK_CONVOY,
          ROW_LOCK,
          CHECKPOINT,
          SLOW_DISK,
          SYN_DROP,
          CUT,
          LOSS,
          BANDWIDTH,
          DELAY,
          BURST);

  /** The faults that an application server makes by itself when it is told to. */
  private static final List<String> ORDERED = List.of(GC_PRESSURE, LOCK_CONVOY);

  /** The faults that strike a database server alone. */
  private static final List<String> OF_DATABASES = List.of(ROW_LOCK, CHECKPOINT, SLOW_DISK);

  /** The faults that need no more than a process, or the network to it. */
  private static final List<String> OF_ANY_PROCESS =
      List.of(KILL, PAUSE, CPU, MEMORY, SLOW_DISK, SYN_DROP, CUT, LOSS, BANDWIDTH, DELAY);

  /** The faults that work by the board's tables. */
  private static final List<String> NEEDING_BOARD = List.of(ROW_LOCK, CHECKPOINT);

  private final Topology topology;
  private final Set<String> programs;

  /**
   * The kinds for an experiment.
   *
   * @param programs the names of the tiers that are programs of the user's own
   */
  FaultKinds(Topology topology, Set<String> programs) {
    this.topology = topology;
    this.programs = Set.copyOf(programs);
  }

  /** The servers that a name in a specification stands for: one, those of a tier, or none. */
  List<String> servers(String name) {
    List<String> found = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= topology.count(tier); number++) {
        String server = tier.serverName(number);
        if (name.equals(server) || name.equals(tier.label())) {
          found.add(server);
        }
      }
    }
    return found;
  }

  /** Whether the server is one of the board's application servers, which take orders. */
  boolean takesOrders(String server) {
    return server.startsWith(Tier.APP.label()) && !programs.contains(Tier.APP.label());
  }

  /** The reason why a fault cannot strike a server of the topology; empty when it can. */
  Optional<String> refusal(String kind, String server) {
    String named = kind + " names the server '" + server + "', but only ";
    if (ORDERED.contains(kind) && !server.startsWith(Tier.APP.label())) {
      return Optional.of(named + "application servers take it");
    }
    if (OF_DATABASES.contains(kind) && !server.startsWith(Tier.DATABASE.label())) {
      return Optional.of(named + "database servers take it");
    }
    String tier = server.replaceAll("\\d+$", "");
    boolean own =
        programs.contains(tier)
            || (NEEDING_BOARD.contains(kind) && programs.contains(Tier.APP.label()));
    return own && !OF_ANY_PROCESS.contains(kind)
        ? Optional.of(
            "%s of '%s' needs the board's own servers, which a program in tiers stands in for (faults of any program: %s)"
                .formatted(kind, server, String.join(", ", OF_ANY_PROCESS)))
        : Optional.empty();
  }
}
