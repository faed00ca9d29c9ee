package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.cluster.core.SimulatedController.Plant;
import org.terrace.cluster.core.SimulatedReplica.Change;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Random histories of transfers and of changes that do not commute, while replicas crash and return
 * and the controller is started anew; and the same with a fault planted, which must be found.
 */
class ClusterHistoriesTest {
  private static final long MILLI = 1_000_000;
  private static final int CLIENTS = 6;
  private static final int ACCOUNTS = 5;

  @ParameterizedTest
  @EnumSource(WriteStrategy.class)
  void nothingIsLostDoubledOrDiverged(WriteStrategy strategy) {
    int committed = 0;
    int waited = 0;
    int histories = 0;
    for (long seed : Seeds.histories("nothingIsLostDoubledOrDiverged-" + strategy, 150)) {
      SimulatedController controller = history(seed, strategy, Plant.NOTHING);
      assertThat(violations(controller)).as("seed " + seed).isEmpty();
      committed += controller.acknowledged.size();
      waited += controller.waitedInVain;
      histories++;
    }
    assertThat(committed).as("transactions that were committed").isGreaterThan(histories);
    assertThat(waited).as("transactions that waited in vain").isPositive();
  }

  @ParameterizedTest
  @EnumSource(
      value = Plant.class,
      names = {"DROPPED_WRITE", "SWAPPED_ORDER", "LOST_LOG_TAIL", "NO_RECORD"})
  void aPlantedFaultIsFound(Plant plant) {
    int found = 0;
    int histories = 0;
    for (long seed : Seeds.histories("aPlantedFaultIsFound-" + plant, 60)) {
      found += violations(history(seed, WriteStrategy.WAIT_ALL, plant)).isEmpty() ? 0 : 1;
      histories++;
    }
    assertThat(found).as("histories in which it was found").isGreaterThanOrEqualTo(histories / 12);
  }

  @Test
  void oneSeedIsOneHistory() {
    long seed = Seeds.next("oneSeedIsOneHistory");

    assertThat(history(seed, WriteStrategy.WAIT_FIRST, Plant.NOTHING).log)
        .isEqualTo(history(seed, WriteStrategy.WAIT_FIRST, Plant.NOTHING).log);
  }

  private static SimulatedController history(long seed, WriteStrategy strategy, Plant plant) {
    Simulation simulation = new Simulation(seed, SimulationOptions.calm());
    RandomGenerator random = simulation.random();
    SimulatedController controller = new SimulatedController(simulation, strategy, 3, plant);
    for (int i = 0; i < CLIENTS; i++) {
      long delay = random.nextLong(5 * MILLI);
      simulation.schedule(delay, () -> transaction(simulation, controller));
    }
    for (int i = 0; i < 4; i++) {
      int victim = random.nextInt(3);
      long at = random.nextLong(150 * MILLI);
      simulation.schedule(at, () -> controller.crashReplica(victim));
      long back = at + random.nextLong(10 * MILLI, 60 * MILLI);
      simulation.schedule(back, () -> controller.bringBack(victim));
    }
    if (random.nextBoolean() || plant != Plant.NOTHING) {
      simulation.schedule(
          random.nextLong(50 * MILLI, 150 * MILLI),
          () -> {
            controller.restart();
            transaction(simulation, controller);
          });
    }
    simulation.runFor(250 * MILLI);
    for (int round = 0; round < 20; round++) {
      for (int replica = 0; replica < 3; replica++) {
        controller.bringBack(replica);
      }
      simulation.runFor(50 * MILLI);
    }
    return controller;
  }

  /** One transaction of a client, which then begins another, for a while. */
  private static void transaction(Simulation simulation, SimulatedController controller) {
    RandomGenerator random = simulation.random();
    if (simulation.nowNanos() > 180 * MILLI) {
      return;
    }
    List<Change> plan = new ArrayList<>();
    long amount = random.nextLong(100);
    plan.add(new Change("account-" + random.nextInt(ACCOUNTS), 1, -amount));
    plan.add(new Change("account-" + random.nextInt(ACCOUNTS), 1, amount));
    if (random.nextBoolean()) {
      plan.add(new Change("register", 3, random.nextLong(1000)));
    }
    boolean commits = random.nextInt(8) > 0;
    long[] id = new long[1];
    int[] next = new int[1];
    boolean[] ending = new boolean[1];
    id[0] =
        controller.begin(effect -> {
          boolean aborted =
              effect instanceof ClusterEffect.AnswerAborted
                  || effect instanceof ClusterEffect.AnswerWaited;
          if (aborted && !ending[0]) {
            ending[0] = true;
            next[0] = -1;
            controller.post(new ClusterEvent.Rollback(id[0]));
          } else if (!ending[0] && next[0] < plan.size()) {
            controller.write(id[0], plan.get(next[0]++));
          } else if (!ending[0]) {
            ending[0] = true;
            controller.post(
                commits ? new ClusterEvent.Commit(id[0]) : new ClusterEvent.Rollback(id[0]));
          } else {
            if (!aborted && commits && next[0] > 0) {
              controller.acknowledge(id[0]);
            }
            simulation.schedule(random.nextLong(MILLI), () -> transaction(simulation, controller));
          }
        });
    controller.write(id[0], plan.get(next[0]++));
  }

  private static List<String> violations(SimulatedController controller) {
    List<String> violations = new ArrayList<>(controller.wrongFloors);
    SimulatedReplica first = controller.replicas.getFirst();
    for (SimulatedReplica replica : controller.replicas) {
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
    for (SimulatedController.LogRecord entry : controller.log) {
      entry
          .changes()
          .forEach(change -> inOrder.merge(change.key(), change.of(0), (old, _) -> change.of(old)));
    }
    if (!inOrder.equals(first.committed)) {
      violations.add("the log says " + inOrder + ", replicas " + first.committed);
    }
    return violations;
  }
}
