package org.terrace.specification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.snakeyaml.engine.v2.nodes.Node;
import org.terrace.experiment.Topology;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.observation.Server;

/**
 * The faults of an experiment with their places in its file, which reports those that cannot
 * happen: after the end of the run, or while another one holds the server. Confined to one thread.
 */
final class PlacedFaults {
  /** The time for which a server is held that nothing starts again. */
  private static final Duration FOREVER = Duration.ofHours(24);

  private record Placed(Fault fault, Node node) {}

  /** One strike: from when to when it holds its server, measured from the start of the run. */
  private record Strike(Placed placed, Duration from, Duration to) {}

  private final Problems problems;
  private final Duration run;
  private final List<Placed> placed = new ArrayList<>();

  PlacedFaults(Problems problems, Duration run) {
    this.problems = problems;
    this.run = run;
  }

  void add(Fault fault, Node node) {
    placed.add(new Placed(fault, node));
  }

  List<Fault> faults() {
    return placed.stream().map(Placed::fault).toList();
  }

  /**
   * Whether a server is free.
   *
   * @param from the beginning of the stretch, from the start of the run
   * @param to its end
   */
  boolean isFree(String server, Duration from, Duration to) {
    for (Placed one : placed) {
      if (one.fault().server().equals(server)) {
        Duration length = one.fault().length().orElse(FOREVER);
        for (Duration at : one.fault().schedule().moments()) {
          if (at.compareTo(to) < 0 && at.plus(length).compareTo(from) > 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Reports faults that cannot happen when they should. */
  void check(Topology topology) {
    List<String> struck = new ArrayList<>(topology.serverNames());
    struck.add(Server.CLIENTS);
    for (String server : struck) {
      List<Strike> strikes = new ArrayList<>();
      for (Placed one : placed) {
        if (one.fault().server().equals(server)) {
          strikes.addAll(strikes(one));
        }
      }
      strikes.sort(Comparator.comparing(Strike::from));
      reportCollisions(server, strikes);
    }
  }

  /**
   * Reports faults of memory that nothing would bound.
   *
   * @param isLimited whether a server has a limit of memory
   */
  void requireMemoryLimits(Predicate<String> isLimited) {
    Set<String> told = new HashSet<>();
    for (Placed one : placed) {
      String server = one.fault().server();
      if (one.fault() instanceof Fault.MemoryPressure
          && !isLimited.test(server)
          && told.add(server)) {
        problems.add(
            one.node(),
            "memory of '%s' finds no limit of memory, within which it would stay; give it one, such as 'limits: {%s: {memory: 512m}}'"
                .formatted(server, server));
      }
    }
  }

  /**
   * Reports packets that are to wait where all of them do: a network device has one root of queues,
   * which is the limit's.
   *
   * @param isLimited whether a server has a limit of the network
   */
  void refuseLimitedNetworks(Predicate<String> isLimited) {
    Set<String> told = new HashSet<>();
    for (Placed one : placed) {
      String server = one.fault().server();
      if (one.fault() instanceof Fault.Network(_, _, _, NetworkEffect.Delay _)
          && isLimited.test(server)
          && told.add(server)) {
        problems.add(
            one.node(),
            "delay of '%s' meets its limit of the network, whose queue holds all the time; drop 'network' from its limits, or the fault"
                .formatted(server));
      }
    }
  }

  /**
   * Reports storage that is to be held back where it is held back all the time: a process is in one
   * group.
   *
   * @param isLimited whether a server has a limit of storage
   */
  void refuseLimitedDisks(Predicate<String> isLimited) {
    Set<String> told = new HashSet<>();
    for (Placed one : placed) {
      String server = one.fault().server();
      if (one.fault() instanceof Fault.SlowDisk && isLimited.test(server) && told.add(server)) {
        problems.add(
            one.node(),
            "slow-disk of '%s' meets its limit of storage, which holds all the time; drop 'disk' from its limits, or the fault"
                .formatted(server));
      }
    }
  }

  /** Reports bursts of users who do not think: a burst shortens the time in which they do. */
  void refuseBursts() {
    placed.stream()
        .filter(one -> one.fault() instanceof Fault.Burst)
        .findFirst()
        .ifPresent(one ->
            problems.add(
                one.node(),
                "burst of the users would do nothing: they do not think, and so cannot think faster; give the load a think time above 0, or drop the burst"));
  }

  private List<Strike> strikes(Placed one) {
    List<Strike> strikes = new ArrayList<>();
    for (Duration at : one.fault().schedule().moments()) {
      boolean holds = one.fault().length().isPresent();
      Duration to = at.plus(one.fault().length().orElse(FOREVER));
      if (at.compareTo(run) >= 0 || (holds && to.compareTo(run) > 0)) {
        problems.add(
            one.node(),
            one.fault().word()
                + " of "
                + one.fault().server()
                + " at "
                + Values.print(at)
                + (holds ? " until " + Values.print(to) : "")
                + " is after the end of the run, which lasts "
                + Values.print(run)
                + " (times count from the start of the run)");
        return List.of();
      }
      strikes.add(new Strike(one, at, to));
    }
    return strikes;
  }

  private void reportCollisions(String server, List<Strike> strikes) {
    for (int index = 1; index < strikes.size(); index++) {
      Strike before = strikes.get(index - 1);
      Strike next = strikes.get(index);
      if (next.from().compareTo(before.to()) < 0) {
        boolean dead = before.placed().fault().length().isEmpty();
        problems.add(
            next.placed().node(),
            next.placed().fault().word()
                + " of "
                + server
                + " at "
                + Values.print(next.from())
                + " cannot happen: the "
                + before.placed().fault().word()
                + " at "
                + Values.print(before.from())
                + (dead ? " leaves it dead (add 'restart: 2s' to it)" : " still holds it"));
        return;
      }
    }
  }
}
