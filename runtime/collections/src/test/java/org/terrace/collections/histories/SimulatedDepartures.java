package org.terrace.collections.histories;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.terrace.collections.Call;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.gossip.Departure;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.ReplicaRoster;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * A history in which replicas are told to leave, are killed on the way or end, and come back under
 * the same names or never; a function of its seed.
 *
 * <p>Who has said that it has left must have handed over: whatever it acknowledged counts as held
 * by those to whom it says it handed over, which are all others in its view. And all must forget
 * it.
 */
public final class SimulatedDepartures {
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final List<WriteLevel> LEVELS =
      List.of(WriteLevel.LOCAL, WriteLevel.replicas(2), WriteLevel.ALL);
  private static final int STEPS = 40;
  private static final int ROUNDS_OVER = 5;
  private static final int ROUNDS_TO_FORGET = 200;

  final SimulatedCluster cluster;
  private final RandomGenerator random;

  private final Map<String, Long> leaving = new TreeMap<>();
  private final Map<String, Long> gone = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  long departures;
  long killedOnTheWay;
  long forgotten;

  private SimulatedDepartures(
      long seed, LongFunction<ReplicaState> newState, SimulatedCluster.Addition addition) {
    random = Seeds.generator(~seed);
    int nodes = 3 + random.nextInt(3);
    long logBytesMax = random.nextBoolean() ? 1 << 20 : random.nextInt(2_000);
    SimulationOptions network = SimulationOptions.swarm(random);
    cluster =
        new SimulatedCluster(seed, network, nodes, 0, logBytesMax, newState, ROUNDS_OVER, addition);
    cluster.losesCheckpoints =
        random.nextBoolean() ? Set.of() : Set.of(cluster.names.get(random.nextInt(nodes)));
  }

  static SimulatedDepartures run(long seed, LongFunction<ReplicaState> newState) {
    return run(seed, newState, new SimulatedCluster.Addition() {});
  }

  /** The same with an addition. */
  static SimulatedDepartures run(
      long seed, LongFunction<ReplicaState> newState, SimulatedCluster.Addition addition) {
    SimulatedDepartures history = new SimulatedDepartures(seed, newState, addition);
    history.run();
    return history;
  }

  private void run() {
    cluster.settle();
    cluster.simulation.runFor(800 * MILLI);
    for (int i = 0; i < STEPS; i++) {
      cutOff();
      for (int j = random.nextInt(6); j > 0; j--) {
        call("v" + i + "." + j);
        pass(random.nextLong(20 * MILLI));
      }
      tellToLeave();
      crashOrReturn();
      for (int j = random.nextInt(12); j > 0; j--) {
        call("w" + i + "." + j);
        pass(random.nextLong(150 * MILLI));
      }
    }
    makePeace();
  }

  private String anyName() {
    return cluster.names.get(random.nextInt(cluster.names.size()));
  }

  private void cutOff() {
    if (random.nextInt(4) == 0) {
      Set<String> side = new HashSet<>();
      cluster.names.stream().filter(name -> random.nextBoolean()).forEach(side::add);
      cluster.simulation.partition(side);
      cluster.simulation.schedule(random.nextLong(3_000 * MILLI), cluster.simulation::heal);
    }
  }

  private void call(String value) {
    String name = anyName();
    SimulatedCluster.Site site = cluster.sites.get(name);
    if (site != null && !departure(site).isFrozen()) {
      WriteLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
      cluster.call(name, "k" + random.nextInt(5), random.nextInt(4) == 0 ? null : value, level);
    }
  }

  private void tellToLeave() {
    String name = anyName();
    SimulatedNode node = cluster.simulation.node(name);
    if (gone.size() + leaving.size() < cluster.names.size() - 1
        && node.isRunning()
        && !node.isPaused()
        && !leaving.containsKey(name)
        && random.nextBoolean()) {
      SimulatedCluster.Site site = cluster.site(name);
      site.replica().leaveForGood(true);
      leaving.put(name, site.group().self().id());
    }
  }

  private void crashOrReturn() {
    String name = anyName();
    SimulatedNode node = cluster.simulation.node(name);
    if (gone.containsKey(name)) {
      gone.remove(name);
      node.restart();
    } else if (node.isRunning() && random.nextInt(3) == 0 && isRememberedElsewhere(name)) {
      node.crash();
      killedOnTheWay += leaving.remove(name) == null ? 0 : 1;
      cluster.simulation.schedule(random.nextLong(2_000 * MILLI), node::restart);
    }
  }

  /**
   * Whether what the node remembers of others outlives its crash: that all who have met a replica
   * forget it while it is cut off is not in the promise. If it may lose its memory, all others must
   * remember the same, also those who are away: any of them may be the only one whom it meets then,
   * and that a replica remembers itself is of no use while it is cut off.
   */
  private boolean isRememberedElsewhere(String name) {
    ReplicaRoster roster = cluster.site(name).state().applied().roster();
    if (!cluster.losesCheckpoints.contains(name)) {
      return cluster.checkpointOf(name).roster().remembersAllOf(roster);
    }
    return cluster.names.stream()
        .filter(other -> !other.equals(name))
        .allMatch(other -> rosterOf(other).remembersAllOf(roster));
  }

  /** The roster that the node remembers, or will when it comes back. */
  private ReplicaRoster rosterOf(String name) {
    return cluster.simulation.node(name).isRunning()
        ? cluster.site(name).state().applied().roster()
        : cluster.checkpointOf(name).roster();
  }

  private void pass(long nanos) {
    cluster.simulation.runFor(nanos);
    cluster.noteAcknowledgements();
    for (String name : List.copyOf(leaving.keySet())) {
      SimulatedCluster.Site site = cluster.site(name);
      Departure.Phase phase = departure(site).departure();
      if (phase.compareTo(Departure.Phase.LEFT) >= 0
          && (phase == Departure.Phase.DONE || random.nextInt(10) == 0)) {
        end(name, site);
      }
    }
  }

  /** Ends a process that has left, with a goodbye of its group or without. */
  private void end(String name, SimulatedCluster.Site site) {
    long incarnation = site.group().self().id();
    for (Call call : cluster.calls) {
      if (call.acknowledged && Long.valueOf(incarnation).equals(call.holders.get(name))) {
        departure(site).heirs().forEach(heir -> call.holders.put(heir.name(), heir.id()));
      }
    }
    if (random.nextBoolean()) {
      site.group().close();
      cluster.simulation.runFor(MILLI);
    }
    cluster.gone(name);
    leaving.remove(name);
    gone.put(name, incarnation);
    departures++;
  }

  private static AntiEntropy departure(SimulatedCluster.Site site) {
    return site.replica().antiEntropy();
  }

  /** All that are not gone run again; those that are leaving still are ended as they are. */
  private void makePeace() {
    Simulation simulation = cluster.simulation;
    simulation.heal();
    for (String name : List.copyOf(leaving.keySet())) {
      simulation.node(name).crash();
      leaving.remove(name);
    }
    for (SimulatedNode node : simulation.nodes()) {
      if (!gone.containsKey(node.name())) {
        node.restart();
      }
    }
    simulation.setLossProbability(0);
    for (int i = 0; i < ROUNDS_TO_FORGET && !(cluster.hasConverged() && areForgotten()); i++) {
      simulation.runFor(100 * MILLI);
    }
    cluster.noteAcknowledgements();
    violations.addAll(cluster.violations());
    if (isEveryoneKnownToHaveLeft()) {
      forgotten += gone.size();
      if (!areForgotten()) {
        violations.add("not all forget " + gone.keySet());
      }
    }
  }

  /** The last one that is left forgets nobody, and waits for nobody. */
  private boolean areForgotten() {
    return cluster.sites.size() < 2
        || gone.keySet().stream()
            .allMatch(name ->
                cluster.sites.values().stream()
                    .allMatch(site -> site.replica().hasForgotten(name)));
  }

  /** Not if all who were told have lost their memory since. */
  private boolean isEveryoneKnownToHaveLeft() {
    return cluster.sites.values().stream()
        .allMatch(site -> site.collections().metrics().replicasAway() == 0);
  }

  List<String> violations() {
    return violations;
  }
}
