package org.terrace.collections.histories;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * A random history of one kind beside the plain ones: collections of that kind, or circumstances,
 * with calls to the plain map among them, and the oracle of the kind beside the plain oracles.
 *
 * <p>Each kind can be told to plant a fault, which its oracles must find.
 */
public abstract class Scenario implements SimulatedCluster.Addition {
  static final long MILLI = SimulatedCluster.MILLI;
  static final long SECOND = SimulatedCluster.SECOND;
  private static final List<WriteLevel> LEVELS =
      List.of(WriteLevel.LOCAL, WriteLevel.replicas(2), WriteLevel.ALL, WriteLevel.allOf(2));
  private static final int ROUNDS_OF_PEACE_MAX = 300;
  private static final int KEYS = 8;

  /** Sound histories send a few thousand. */
  private static final long MESSAGES_MAX = 100_000;

  private final long seed;
  final RandomGenerator random;
  final boolean planted;
  final List<String> violations = new ArrayList<>();
  SimulatedCluster cluster;
  long durationNanos = SECOND;

  /** A history of that seed. */
  Scenario(long seed, boolean planted) {
    this.seed = seed;
    this.planted = planted;
    this.random = Seeds.generator(seed ^ getClass().getSimpleName().hashCode());
  }

  /** The weather of the network. */
  SimulationOptions network() {
    return SimulationOptions.swarm(random);
  }

  int nodes() {
    return 2 + random.nextInt(3);
  }

  /** The bytes of recent updates that the replicas keep: often too few to repair from. */
  long logBytesMax() {
    return random.nextBoolean() ? 1 << 20 : random.nextInt(2_000);
  }

  /** Nodes that join later. */
  int late() {
    return 0;
  }

  /** One of so many calls goes to the plain map; 0 for none. */
  int plainOneIn() {
    return 3;
  }

  /** The faults that strike meanwhile. */
  FaultPlan faults() {
    return FaultPlan.swarm(random);
  }

  /** The state of replicas without a planted fault. */
  LongFunction<ReplicaState> soundState() {
    return WatchedState::new;
  }

  /** The state of replicas with a planted fault; sound if it is planted elsewhere. */
  LongFunction<ReplicaState> plantedState() {
    return WatchedState::new;
  }

  /** Runs before the faults. */
  void begin() {}

  /** One call of this kind at a replica that is at work. */
  abstract void call(Site site, String name, int number);

  /** Runs after all faults are undone and the replicas agree. */
  void end() {}

  /** Adds what is wrong at the end to the violations. */
  abstract void judge();

  /** Plays the history; gives what was found. */
  final List<String> run() {
    cluster =
        new SimulatedCluster(
            seed,
            network(),
            nodes(),
            late(),
            logBytesMax(),
            planted ? plantedState() : soundState(),
            SimulatedCluster.ROUNDS_OVER,
            this);
    cluster.simulation.limitMessages(MESSAGES_MAX);
    begin();
    FaultPlan faults = faults();
    faults.unleash(cluster.simulation, durationNanos);
    int steps = 20 + random.nextInt(60);
    for (int i = 0; i < steps; i++) {
      int number = i;
      cluster.simulation.schedule(random.nextLong(durationNanos), () -> step(number));
    }
    cluster.simulation.runFor(durationNanos);
    cluster.noteAcknowledgements();
    cluster.simulation.setLossProbability(0);
    awaitAgreement();
    end();
    awaitAgreement();
    cluster.noteAcknowledgements();
    violations.addAll(cluster.violations());
    if (cluster.hasConverged()) {
      judge();
    }
    return violations;
  }

  private void awaitAgreement() {
    for (int i = 0; i < ROUNDS_OF_PEACE_MAX && !cluster.hasConverged(); i++) {
      cluster.simulation.runFor(100 * MILLI);
    }
  }

  private void step(int number) {
    cluster.noteAcknowledgements();
    String name = cluster.names.get(random.nextInt(cluster.names.size()));
    if (cluster.isAtWork(name)) {
      if (plainOneIn() > 0 && random.nextInt(plainOneIn()) == 0) {
        plainCall(name, number);
      } else {
        call(cluster.site(name), name, number);
      }
    }
  }

  /** A put or removal in the plain map. */
  final void plainCall(String name, int number) {
    String value = random.nextInt(4) == 0 ? null : "v" + number;
    WriteLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
    cluster.call(name, "k" + random.nextInt(KEYS), value, level);
  }

  /** The last update that the replica has made. */
  static Dot lastDot(Site site) {
    long writer = site.replica().writes().writer();
    return new Dot(writer, site.state().applied().last(writer));
  }

  /**
   * Whether nothing but the dots that are applied decides about what is there: an old checkpoint
   * may bring back updates of an incarnation that was retired without them.
   */
  final boolean isExact(Iterable<Dot> dots) {
    ReplicaState state = cluster.sites.values().iterator().next().state();
    for (Dot dot : dots) {
      if (state.applied().roster().isRetired(dot.writer())) {
        return false;
      }
    }
    return true;
  }

  /** Notes a violation unless that holds; the arguments come where there are braces. */
  final void check(boolean holds, String what, @Nullable Object... arguments) {
    if (!holds) {
      String text = what;
      for (Object argument : arguments) {
        text = text.replaceFirst("\\{}", Matcher.quoteReplacement(String.valueOf(argument)));
      }
      violations.add(text);
    }
  }
}
