package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.terrace.cluster.core.SimulatedController.Session;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Histories of a few commits in which something is lost between two steps of the core, for each two
 * steps that follow on one another: every replica, the controller, and all of them. Stateless.
 */
public final class CommitCrashes {
  private static final long MILLI = 1_000_000;
  private static final int CLIENTS = 2;
  private static final int REPLICAS = 3;
  private static final long LAST_BEGIN_NANOS = 8 * MILLI;

  /** So many histories of which none shows a planted fault are no chance. */
  static final int MOST_PLANTED = 30;

  /**
   * The outcome of a planted fault.
   *
   * @param crashes how many crashes there were until it was found
   * @param violations what was found; empty: nothing
   */
  record Planted(long crashes, List<String> violations) {}

  /** A thing that is lost between two steps. */
  private enum Loss {
    /** A replica, whose answers come all the same. */
    REPLICA,
    /** A replica with the answer that is about to come, if it is from there. */
    REPLICA_WITH_ITS_ANSWER,
    /** The controller: another comes after it. */
    CONTROLLER,
    /** All replicas, for a while. */
    ALL_REPLICAS
  }

  private CommitCrashes() {}

  /**
   * Runs the histories of so many seeds under each strategy, once for each step and loss.
   *
   * @param progress is told now and then how far it is
   */
  public static ClusterHistories.Verdict simulate(
      long firstSeed, int seeds, Consumer<String> progress) {
    List<String> violations = new ArrayList<>();
    long crashes = 0;
    for (int i = 0; i < seeds; i++) {
      for (WriteStrategy strategy : WriteStrategy.values()) {
        crashes += crash(firstSeed + i, strategy, Plant.NOTHING, violations);
      }
      progress.accept(
          "%d of %d seeds, %d crashes between two steps".formatted(i + 1, seeds, crashes));
    }
    Map<String, Long> facts = new LinkedHashMap<>();
    facts.put("crashes between two steps", crashes);
    for (Plant plant :
        List.of(Plant.DROPPED_WRITE, Plant.SWAPPED_ORDER, Plant.LOST_LOG_TAIL, Plant.NO_RECORD)) {
      Planted planted = plant(plant, LongStream.range(firstSeed, firstSeed + MOST_PLANTED));
      facts.put("crashes with the planted fault '" + plant + "'", planted.crashes());
      facts.put("violations found with it, '" + plant + "'", (long) planted.violations().size());
      if (planted.violations().isEmpty()) {
        violations.add("the planted fault '" + plant + "' was not found");
      }
    }
    return new ClusterHistories.Verdict(facts, violations);
  }

  /**
   * Runs the histories of seeds with a planted fault, one after the other, until it is found: of
   * some histories no crash shows it.
   */
  static Planted plant(Plant plant, LongStream seeds) {
    List<String> found = new ArrayList<>();
    long crashes = 0;
    for (PrimitiveIterator.OfLong each = seeds.iterator(); found.isEmpty() && each.hasNext(); ) {
      crashes += crash(each.nextLong(), plant.strategy(), plant, found);
    }
    return new Planted(crashes, found);
  }

  /** Runs the history of a seed once for each step and loss; gives how often that was. */
  static long crash(long seed, WriteStrategy strategy, Plant plant, List<String> violations) {
    long steps = run(seed, strategy, plant, (_, _) -> {}).steps();
    long crashes = 0;
    for (long step = 0; step < steps; step++) {
      for (Loss loss : Loss.values()) {
        boolean ofReplica = loss == Loss.REPLICA || loss == Loss.REPLICA_WITH_ITS_ANSWER;
        for (int victim = 0; victim < (ofReplica ? REPLICAS : 1); victim++) {
          long at = step;
          int lost = victim;
          SimulatedController controller =
              run(
                  seed,
                  strategy,
                  plant,
                  (simulation, begun) -> begun.deeds.put(at, deed(simulation, begun, loss, lost)));
          String where =
              "seed %d, %s, %s %d before step %d: ".formatted(seed, strategy, loss, victim, step);
          ClusterHistories.violations(controller).forEach(found -> violations.add(where + found));
          crashes++;
        }
      }
    }
    return crashes;
  }

  private static Predicate<ClusterEvent> deed(
      Simulation simulation, SimulatedController controller, Loss loss, int victim) {
    return event -> {
      switch (loss) {
        case REPLICA, REPLICA_WITH_ITS_ANSWER -> controller.crashReplica(victim);
        case ALL_REPLICAS -> controller.loseAll();
        case CONTROLLER -> {
          controller.restart();
          begin(simulation, controller, simulation.nowNanos() + LAST_BEGIN_NANOS);
        }
      }
      return switch (loss) {
        case REPLICA, ALL_REPLICAS -> true;
        // The last replica that is active is left alone.
        case REPLICA_WITH_ITS_ANSWER ->
            controller.replicas.get(victim).up || !isFrom(event, victim);
        // It was for the one before.
        case CONTROLLER -> false;
      };
    };
  }

  private static boolean isFrom(ClusterEvent event, int replica) {
    return switch (event) {
      case ClusterEvent.Executed executed -> executed.replica() == replica;
      case ClusterEvent.Prepared prepared -> prepared.replica() == replica;
      case ClusterEvent.Committed committed -> committed.replica() == replica;
      case ClusterEvent.RolledBack undone -> undone.replica() == replica;
      default -> false;
    };
  }

  private static SimulatedController run(
      long seed,
      WriteStrategy strategy,
      Plant plant,
      BiConsumer<Simulation, SimulatedController> prepare) {
    Simulation simulation = new Simulation(seed, SimulationOptions.calm());
    SimulatedController controller = new SimulatedController(simulation, strategy, REPLICAS, plant);
    prepare.accept(simulation, controller);
    for (int i = 0; i < CLIENTS; i++) {
      simulation.schedule(i, () -> begin(simulation, controller, LAST_BEGIN_NANOS));
    }
    simulation.runFor(60 * MILLI);
    ClusterHistories.settle(simulation, controller);
    return controller;
  }

  private static void begin(Simulation simulation, SimulatedController controller, long lastNanos) {
    ClusterHistories.transaction(simulation, controller, new Session(), lastNanos);
  }
}
