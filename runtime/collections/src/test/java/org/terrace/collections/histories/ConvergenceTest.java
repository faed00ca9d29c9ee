package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.SimulationOptions;

/** The time and traffic that replicas need to agree, measured over seeds in the simulator. */
public class ConvergenceTest {
  private static final int SEEDS = Depth.of(200, 50);
  private static final int ROUNDS_MAX = 5;

  /** One history of 4,000 takes more than five rounds, and one of three such another one. */
  private static final int ROUNDS_AT_LAST = 20;

  private static final int WRITES = 30;
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final long ROUND_NANOS = 100 * MILLI;
  private static final long HEAL_NANOS_MAX = 2_000 * MILLI;
  private static final double MESSAGES_A_ROUND_MAX = 3;

  private static SimulatedCluster cluster(long seed, SimulationOptions network) {
    SimulatedCluster cluster = new SimulatedCluster(seed, network, 3, 1 << 20, WatchedState::new);
    cluster.settle();
    return cluster;
  }

  private static void write(SimulatedCluster cluster, int from) {
    for (int i = 0; i < WRITES; i++) {
      String name = cluster.names.get(i % cluster.names.size());
      cluster.call(name, "k" + i % 7, "v" + (from + i), WriteLevel.LOCAL);
    }
  }

  @Test
  void replicasAgreeWithinFiveRoundsThoughThirtyPercentIsLost() {
    int[] histogram = new int[ROUNDS_AT_LAST + 2];
    int histories = 0;
    for (long seed :
        Seeds.histories("replicasAgreeWithinFiveRoundsThoughThirtyPercentIsLost", SEEDS)) {
      SimulatedCluster cluster = cluster(seed, SimulationOptions.lossy(0));
      cluster.simulation.setLossProbability(0.3);
      write(cluster, 0);
      int rounds = 0;
      while (rounds <= ROUNDS_AT_LAST && !cluster.hasConverged()) {
        cluster.simulation.runFor(ROUND_NANOS);
        rounds++;
      }
      histogram[rounds]++;
      histories++;
      assertThat(rounds).as("rounds of seed %d", seed).isLessThanOrEqualTo(ROUNDS_AT_LAST);
    }
    // Loss is chance, so a bound of rounds is one of a share: a message may be lost five times.
    int late = Arrays.stream(histogram, ROUNDS_MAX + 1, histogram.length).sum();
    assertThat(late).as("histories that took longer").isLessThanOrEqualTo(1 + histories / 50);
    System.out.printf(
        "agreed after 0 to %d rounds of gossip under 30 %% loss: %s of %d seeds%n",
        ROUNDS_AT_LAST, Arrays.toString(histogram), histories);
  }

  @Test
  void replicasAgreeWithinTwoSecondsOfAHeal() {
    long longestNanos = 0;
    for (long seed : Seeds.histories("replicasAgreeWithinTwoSecondsOfAHeal", SEEDS)) {
      SimulatedCluster cluster = cluster(seed, SimulationOptions.calm());
      cluster.simulation.partition(Set.of("a"));
      write(cluster, 0);
      cluster.simulation.runFor(5_000 * MILLI);
      write(cluster, WRITES);
      assertThat(cluster.site("a").group().view().members()).hasSize(1);
      cluster.simulation.heal();
      long healedNanos = cluster.simulation.nowNanos();
      boolean agreed = cluster.simulation.runUntil(cluster::hasConverged, HEAL_NANOS_MAX);
      assertThat(agreed).as("agreement of seed %d", seed).isTrue();
      longestNanos = Math.max(longestNanos, cluster.simulation.nowNanos() - healedNanos);
    }
    System.out.printf("longest from heal to agreement: %d ms%n", longestNanos / MILLI);
  }

  /** Counts everything a process sends on the collections' channel, acknowledgements included. */
  @Test
  void aProcessSendsAtMostThreeMessagesARoundWhileItRepairs() {
    for (long seed :
        Seeds.histories("aProcessSendsAtMostThreeMessagesARoundWhileItRepairs", SEEDS / 4)) {
      SimulatedCluster cluster = cluster(seed, SimulationOptions.calm());
      cluster.simulation.partition(Set.of("a"));
      cluster.simulation.runFor(5_000 * MILLI);
      write(cluster, 0);
      cluster.simulation.runFor(ROUND_NANOS);
      cluster.simulation.heal();
      long before = messages(cluster);
      int rounds = 30;
      cluster.simulation.runFor(rounds * ROUND_NANOS);
      assertThat(cluster.hasConverged()).isTrue();
      double aRound = (messages(cluster) - before) / (double) rounds / cluster.sites.size();
      assertThat(aRound).as("seed %d", seed).isLessThanOrEqualTo(MESSAGES_A_ROUND_MAX);
    }
  }

  private static long messages(SimulatedCluster cluster) {
    return cluster.sites.values().stream()
        .mapToLong(site -> site.group().counters().messagesSent())
        .sum();
  }

  @Test
  void aReplicaThatIsCutOffAcknowledgesAllAndNotAllOfTwo() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.partition(Set.of("a"));
    cluster.simulation.runFor(5_000 * MILLI);
    ReplicatedMap<String, String> map = cluster.site("a").map();
    Acknowledgement all = map.withLevel(WriteLevel.ALL).putAsync("k", "1");
    Acknowledgement allOfTwo = map.withLevel(WriteLevel.allOf(2)).putAsync("k", "2");
    cluster.simulation.runFor(1_000 * MILLI);
    assertThat(all.isAcknowledged()).isTrue();
    assertThat(allOfTwo.isAcknowledged()).isFalse();

    cluster.simulation.heal();
    cluster.simulation.runFor(3_000 * MILLI);

    assertThat(allOfTwo.isAcknowledged()).isTrue();
  }
}
