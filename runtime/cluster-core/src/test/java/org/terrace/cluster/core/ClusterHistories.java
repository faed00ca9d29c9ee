package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.cluster.core.SimulatedController.Session;
import org.terrace.cluster.core.SimulatedReplica.Change;
import org.terrace.testing.isolation.AnomalyCounts;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Random histories of transfers and of changes that do not commute, while replicas crash and return
 * and the controller is started anew, for the build and for a command. Stateless.
 */
public final class ClusterHistories {
  private static final long MILLI = 1_000_000;
  private static final int CLIENTS = 6;
  private static final int ACCOUNTS = 5;

  /** The number of those who come to read once. */
  private static final int PASSERS = 100;

  /** So many that a later definition seldom hides what an earlier one has left. */
  private static final int REGISTERS = 12;

  private static final int PROGRESS_STEP = 1_000;
  private static final int HISTORIES_OF_PLANTS_MAX = 400;

  /** The moment after which no transaction begins. */
  private static final long LAST_BEGIN_NANOS = 180 * MILLI;

  /**
   * The facts and findings of many histories.
   *
   * @param facts counts by name
   * @param violations what must not have happened, with its seed
   */
  public record Verdict(Map<String, Long> facts, List<String> violations) {}

  private ClusterHistories() {}

  /**
   * Runs the histories of so many seeds, under each strategy in turn, and then some in which each
   * fault is planted: a violation is one that was not found, too.
   *
   * @param progress is told now and then how far it is
   */
  public static Verdict simulate(long firstSeed, int seeds, Consumer<String> progress) {
    Map<String, Long> facts = new LinkedHashMap<>();
    List<String> violations = new ArrayList<>();
    long acknowledged = 0;
    AnomalyCounts anomalies = new AnomalyCounts();
    for (int i = 0; i < seeds; i++) {
      long seed = firstSeed + i;
      WriteStrategy strategy = WriteStrategy.values()[i % WriteStrategy.values().length];
      SimulatedController controller = history(seed, strategy, Plant.NOTHING);
      violations(controller, anomalies)
          .forEach(found -> violations.add("seed " + seed + ", " + strategy + ": " + found));
      acknowledged += controller.acknowledged.size();
      if ((i + 1) % PROGRESS_STEP == 0) {
        progress.accept((i + 1) + " of " + seeds + " simulated histories");
      }
    }
    facts.put("histories", (long) seeds);
    facts.put("transactions acknowledged", acknowledged);
    facts.putAll(anomalies.facts());
    for (Plant plant : Plant.values()) {
      if (plant != Plant.NOTHING) {
        String name = plant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        long tried = historiesUntilFound(plant, firstSeed);
        if (tried > HISTORIES_OF_PLANTS_MAX) {
          violations.add("the planted fault '" + name + "' was not found");
        } else {
          facts.put("histories until the planted fault '" + name + "' was found", tried);
        }
      }
    }
    return new Verdict(facts, violations);
  }

  private static long historiesUntilFound(Plant plant, long firstSeed) {
    long tried = 1;
    while (tried <= HISTORIES_OF_PLANTS_MAX
        && violations(history(firstSeed + tried, plant.strategy(), plant)).isEmpty()) {
      tried++;
    }
    return tried;
  }

  /** The history of a seed, to its end. */
  static SimulatedController history(long seed, WriteStrategy strategy, Plant plant) {
    Simulation simulation = new Simulation(seed, SimulationOptions.calm());
    RandomGenerator random = simulation.random();
    SimulatedController controller = new SimulatedController(simulation, strategy, 3, plant);
    for (int i = 0; i < CLIENTS; i++) {
      long delay = random.nextLong(5 * MILLI);
      Session session = new Session();
      simulation.schedule(
          delay, () -> transaction(simulation, controller, session, LAST_BEGIN_NANOS));
    }
    for (int i = 0; i < PASSERS; i++) {
      int turn = i;
      simulation.schedule(i * LAST_BEGIN_NANOS / PASSERS, () -> controller.pass(turn));
    }
    for (int i = 0; i < 4; i++) {
      int victim = random.nextInt(3);
      long at = random.nextLong(150 * MILLI);
      simulation.schedule(at, () -> controller.crashReplica(victim));
      long back = at + random.nextLong(10 * MILLI, 60 * MILLI);
      simulation.schedule(back, () -> controller.bringBack(victim));
    }
    for (int i = 0; i < 6; i++) {
      int silent = random.nextInt(3);
      simulation.schedule(random.nextLong(180 * MILLI), () -> controller.silence(silent));
      simulation.schedule(random.nextLong(180 * MILLI), controller::breakCopy);
    }
    for (int i = 0; i < 2; i++) {
      simulation.schedule(random.nextLong(180 * MILLI), controller::loseAll);
    }
    if (random.nextInt(4) == 0 || plant == Plant.UNCHECKED_OWNER) {
      long at = random.nextLong(100 * MILLI);
      simulation.schedule(at, controller::intrude);
      simulation.schedule(
          at + random.nextLong(10 * MILLI, 40 * MILLI), () -> restart(simulation, controller));
    }
    if (random.nextBoolean() || plant != Plant.NOTHING) {
      simulation.schedule(
          random.nextLong(50 * MILLI, 150 * MILLI), () -> restart(simulation, controller));
    }
    if (random.nextBoolean()) {
      simulation.schedule(random.nextLong(150 * MILLI), controller::add);
    }
    if (random.nextBoolean()) {
      int leaving = random.nextInt(3);
      simulation.schedule(random.nextLong(180 * MILLI), () -> controller.remove(leaving));
    }
    simulation.runFor(250 * MILLI);
    settle(simulation, controller);
    return controller;
  }

  /** Lets all replicas come back, and the core come to the end of all that was begun. */
  static void settle(Simulation simulation, SimulatedController controller) {
    for (int round = 0; round < 20; round++) {
      for (int replica = 0; replica < controller.replicas.size(); replica++) {
        controller.bringBack(replica);
      }
      simulation.runFor(50 * MILLI);
    }
  }

  /** Another owner comes, and now and then one after it before anything is written. */
  private static void restart(Simulation simulation, SimulatedController controller) {
    controller.restart();
    if (simulation.random().nextBoolean()) {
      controller.restart();
    }
    transaction(simulation, controller, new Session(), LAST_BEGIN_NANOS);
  }

  /** One transaction of a client, which then begins another, until a moment. */
  static void transaction(
      Simulation simulation, SimulatedController controller, Session session, long lastNanos) {
    RandomGenerator random = simulation.random();
    if (simulation.nowNanos() > lastNanos) {
      return;
    }
    boolean hasRead = controller.read(session);
    List<Change> plan = new ArrayList<>();
    long amount = random.nextLong(100);
    plan.add(new Change("account-" + random.nextInt(ACCOUNTS), 1, -amount));
    plan.add(new Change("account-" + random.nextInt(ACCOUNTS), 1, amount));
    if (random.nextBoolean()) {
      plan.add(new Change(register(random), 3, random.nextLong(1000)));
    }
    boolean defines = random.nextInt(controller.transactionsPerDefinition()) == 0;
    if (defines) {
      plan.clear();
      plan.add(new Change(register(random), 0, random.nextLong(1000)));
    }
    boolean commits = defines || random.nextInt(8) > 0;
    long[] id = new long[1];
    int[] next = new int[1];
    boolean[] ending = new boolean[1];
    boolean[] over = new boolean[1];
    id[0] =
        controller.begin(effect -> {
          boolean aborted =
              effect instanceof ClusterEffect.AnswerAborted
                  || effect instanceof ClusterEffect.AnswerWaited;
          if (over[0]) {
            return;
          }
          // Who has asked for the end asks for nothing more.
          if (aborted && !ending[0]) {
            ending[0] = true;
            next[0] = -1;
            controller.ask(id[0], new ClusterEvent.Rollback(id[0]));
          } else if (!ending[0] && next[0] < plan.size()) {
            controller.write(id[0], plan.get(next[0]++));
          } else if (!ending[0]) {
            ending[0] = true;
            controller.ask(
                id[0],
                commits
                    ? new ClusterEvent.Commit(id[0], controller.seenBy(session))
                    : new ClusterEvent.Rollback(id[0]));
          } else {
            over[0] = true;
            if (!aborted
                && commits
                && next[0] > 0
                && effect instanceof ClusterEffect.AnswerDone done) {
              controller.acknowledge(id[0], done, session);
              controller.read(session);
            }
            simulation.schedule(
                random.nextLong(MILLI),
                () -> transaction(simulation, controller, session, lastNanos));
          }
        });
    if (hasRead) {
      controller.seen.isOf(id[0]);
    }
    if (defines) {
      controller.define(id[0], plan.get(next[0]++));
      if (random.nextInt(3) == 0) {
        controller.withinDefinition(() -> {
          if (!ending[0]) {
            ending[0] = true;
            next[0] = -1;
            controller.leftDefinitions++;
            controller.ask(id[0], new ClusterEvent.Rollback(id[0]));
          }
        });
      }
    } else {
      controller.write(id[0], plan.get(next[0]++));
    }
  }

  private static String register(RandomGenerator random) {
    return "register-" + random.nextInt(REGISTERS);
  }

  /** The sentences about events that must not have happened in a history. */
  static List<String> violations(SimulatedController controller) {
    return violations(controller, new AnomalyCounts());
  }

  /** The same, with counts of the anomalies that sessions read. */
  static List<String> violations(SimulatedController controller, AnomalyCounts anomalies) {
    List<String> violations = new ArrayList<>(controller.wrongFloors);
    violations.addAll(controller.staleReads);
    anomalies
        .add(controller.seen.history(controller.log.entries()))
        .forEach(anomaly -> violations.add(anomaly.toString()));
    if (!controller.waiting().isEmpty()) {
      violations.add("never answered: " + controller.waiting());
    }
    if (!controller.unfinished().isEmpty()) {
      violations.add("never let go: " + controller.unfinished());
    }
    controller.replicas.forEach(replica -> violations.addAll(replica.faults));
    List<SimulatedReplica> left =
        controller.replicas.stream()
            .filter(replica -> !controller.isRemoved(replica.number))
            .toList();
    SimulatedReplica first = left.getFirst();
    for (SimulatedReplica replica : left) {
      if (!controller.isActive(replica.number)) {
        violations.add("replica " + replica.number + " did not return");
      }
      if (!replica.committed.equals(first.committed)) {
        violations.add("diverged: " + first.committed + " and " + replica.committed);
      }
      controller
          .acknowledged
          .keySet()
          .forEach(position -> {
            if (!replica.applied.contains(position)) {
              violations.add("replica " + replica.number + " lost the acknowledged " + position);
            }
          });
      long total =
          replica.committed.entrySet().stream()
              .filter(entry -> entry.getKey().startsWith("account"))
              .mapToLong(Map.Entry::getValue)
              .sum();
      if (total != 0) {
        violations.add("the accounts of replica " + replica.number + " add up to " + total);
      }
    }
    Map<String, Long> inOrder = new HashMap<>();
    for (SimulatedLog.Entry entry : controller.log.entries()) {
      entry
          .changes()
          .forEach(change -> inOrder.merge(change.key(), change.of(0), (old, _) -> change.of(old)));
    }
    // What was done of a definition whose client was not told so stays, and is in no log.
    if (!controller.mayRemain() && !inOrder.equals(first.committed)) {
      violations.add("the log says " + inOrder + ", replicas " + first.committed);
    }
    return violations;
  }
}
