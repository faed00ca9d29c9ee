package org.terrace.control.manager;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.naming.Registration;
import org.terrace.control.naming.SimulatedNaming;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;

/**
 * A world with naming processes, managers and whatever replicas the managers launch. Beats and
 * naming travel over the simulation's bad network; a connection between manager and replica is
 * modelled by tasks that run on the other end unless it has crashed, and by its end being noticed.
 */
final class SimulatedHost {
  static final long MILLI = 1_000_000;
  static final List<String> NAMING = List.of("n1", "n2", "n3");
  static final List<String> MANAGERS = List.of("m1", "m2", "m3");
  static final String SERVICE = "service";

  final Simulation simulation;
  final Map<String, SimulatedManager> managers = new LinkedHashMap<>();
  final Map<String, SimulatedReplica> replicas = new TreeMap<>();
  final Map<String, Registration> learned = new HashMap<>();
  final Map<Long, String> primaryOfEpoch = new HashMap<>();
  final Map<Long, ServiceReference> referenceOfVersion = new HashMap<>();
  final Set<String> launchedNames = new HashSet<>();
  final List<String> violations = new ArrayList<>();
  final double launchFailures;
  final int degree;
  final int spares;
  int incarnations;

  SimulatedHost(Simulation simulation, int degree, int spares, double launchFailures) {
    this.simulation = simulation;
    this.degree = degree;
    this.spares = spares;
    this.launchFailures = launchFailures;
    for (String name : NAMING) {
      simulation.addNode(name, SimulatedNaming.program(NAMING, MANAGERS, this::learned));
    }
    for (String name : MANAGERS) {
      simulation.addNode(name, node -> managers.put(name, new SimulatedManager(this, node)));
    }
  }

  static ServiceOptions service(int degree, int spares) {
    return new ServiceOptions(
        SERVICE,
        Style.WARM_PASSIVE,
        degree,
        spares,
        java.time.Duration.ofSeconds(1),
        java.time.Duration.ofMillis(50),
        java.time.Duration.ofMillis(800),
        java.time.Duration.ofSeconds(1),
        java.time.Duration.ofMillis(300),
        java.time.Duration.ofMillis(500));
  }

  private void learned(String node, Registration value) {
    if (value.service().equals(SERVICE)) {
      learned.put(node, value);
      see(value.reference());
    }
  }

  /** Whatever is chosen or told: one reference a version, one primary an epoch. */
  void see(ServiceReference reference) {
    ServiceReference other = referenceOfVersion.putIfAbsent(reference.version(), reference);
    if (other != null && !other.equals(reference)) {
      violations.add("version " + reference.version() + ": " + other + " and " + reference);
    }
    if (!reference.endpoints().isEmpty()) {
      String primary = reference.endpoints().getFirst().replica();
      String before = primaryOfEpoch.putIfAbsent(reference.epoch(), primary);
      if (before != null && !before.equals(primary)) {
        violations.add("epoch " + reference.epoch() + ": " + before + " and " + primary);
      }
    }
  }

  void launch(String replica, Runnable couldNotStart) {
    if (!launchedNames.add(replica)) {
      violations.add("the name " + replica + " is given twice");
      return;
    }
    if (simulation.random().nextDouble() < launchFailures) {
      simulation.schedule(20 * MILLI, couldNotStart);
      return;
    }
    long startNanos = simulation.random().nextLong(20 * MILLI, 300 * MILLI);
    simulation.schedule(
        startNanos,
        () -> {
          SimulatedReplica created = new SimulatedReplica(this, replica);
          replicas.put(replica, created);
          simulation.addNode(replica, created::start);
        });
  }

  void kill(String replica) {
    SimulatedReplica victim = replicas.get(replica);
    if (victim != null) {
      simulation.node(replica).crash();
    }
  }

  /** All naming processes end, lose their disks, and are started again. */
  void loseAllNames() {
    for (String name : NAMING) {
      SimulatedNode naming = simulation.node(name);
      naming.crash();
      naming.disk().clear();
    }
    learned.clear();
    NAMING.forEach(name -> simulation.node(name).restart());
  }

  /** A manager ends, and another is started in its place. */
  void replace(SimulatedManager manager) {
    SimulatedNode place = simulation.node(manager.name().split("-", -1)[0]);
    place.crash();
    place.restart();
  }

  /** Somebody asks whoever leads to drain or to kill a replica. */
  void command(boolean drain, int which) {
    List<SimulatedReplica> live = liveReplicas();
    if (!live.isEmpty()) {
      String victim = live.get(which % live.size()).name();
      ManagerEvent event =
          drain
              ? new ManagerEvent.WantDrained(SERVICE, victim)
              : new ManagerEvent.WantKilled(SERVICE, victim);
      leaders().forEach(leader -> leader.soon(event));
    }
  }

  List<SimulatedReplica> liveReplicas() {
    return replicas.values().stream().filter(SimulatedReplica::isAlive).toList();
  }

  List<SimulatedManager> leaders() {
    return managers.values().stream().filter(SimulatedManager::isLeading).toList();
  }

  SimulatedNode node(String name) {
    return simulation.node(name);
  }
}
