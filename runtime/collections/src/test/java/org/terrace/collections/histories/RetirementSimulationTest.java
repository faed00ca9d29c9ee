package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.collections.SimulatedCluster.MILLI;
import static org.terrace.collections.SimulatedCluster.SECOND;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.collections.PlantedFaults;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TerraceException;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** Incarnations that are over give up their places, and nothing is lost by it. */
public class RetirementSimulationTest {
  private static final int HISTORIES = Depth.of(150, 20);

  /** The search ends at the first, of 50 on average. */
  private static final int HISTORIES_TO_FIND = 2_000;

  /** A history in which it was found once, where the short build begins. */
  private static final long FOUND_AT = 18;

  private static final int RESTARTS = 200;

  /**
   * Incarnations that end within the time that an incarnation must have been over, and some rounds
   * more.
   */
  private static final int BEING_RETIRED_MAX = 8;

  @Test
  void restartsThatWriteLeaveNothingBehind() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    long most = 0;
    for (int i = 0; i < RESTARTS; i++) {
      String name = cluster.names.get(i % 3);
      cluster.call(name, "k" + i % 50, "v" + i, WriteLevel.LOCAL);
      cluster.simulation.runFor(1_900 * MILLI);
      cluster.simulation.node(name).crash();
      cluster.simulation.runFor(50 * MILLI);
      cluster.simulation.node(name).restart();
      cluster.simulation.runFor(50 * MILLI);
      most = Math.max(most, cluster.writersMax());
    }
    cluster.quiesce();

    assertThat(cluster.violations()).isEmpty();
    assertThat(most).isLessThanOrEqualTo(3 + BEING_RETIRED_MAX);
    assertThat(cluster.writersMax()).isLessThanOrEqualTo(3);
    assertThat(cluster.site("a").map()).hasSize(50);
    for (SimulatedCluster.Site site : cluster.running()) {
      CollectionsMetrics metrics = site.collections().metrics();
      assertThat(metrics.replicasKnown()).isEqualTo(3);
      assertThat(metrics.replicasAway()).isZero();
      assertThat(site.collections().token().bytes().length).isLessThan(150);
    }
    System.out.printf(
        "%d restarts that wrote: at most %d writers on the way, %d at the end%n",
        RESTARTS, most, cluster.writersMax());
  }

  @Test
  void everyHistoryOfRestartsLosesNothingAndEndsWithAPlaceForEachReplica() {
    long retired = 0;
    long restored = 0;
    for (long seed : Seeds.histories("everyHistoryOfRestarts", HISTORIES)) {
      SimulatedCluster cluster = SimulatedHistories.restarts(seed, WatchedState::new);
      assertThat(cluster.violations()).as("seed %d", seed).isEmpty();
      assertThat(cluster.writersMax())
          .as("writers of seed %d", seed)
          .isLessThanOrEqualTo(cluster.names.size());
      retired += cluster.retired.size();
      restored += cluster.restored;
    }
    System.out.printf(
        "%d histories of restarts: %d checkpoints restored, %d incarnations retired%n",
        HISTORIES, restored, retired);
    assertThat(retired).isPositive();
  }

  @Test
  void anIncarnationThatIsRetiredTooEarlyIsFound() {
    long drawn = Seeds.next("anIncarnationThatIsRetiredTooEarlyIsFound");
    long first = Depth.of(1, 0) > 0 ? drawn : FOUND_AT;
    for (long seed = first; seed < first + HISTORIES_TO_FIND; seed++) {
      if (!SimulatedHistories.restarts(seed, PlantedFaults.RetiredEarly::new)
          .violations()
          .isEmpty()) {
        return;
      }
    }
    throw new AssertionError("the planted fault was not found");
  }

  @Test
  void aReplicaThatIsAwayHoldsTheOthersUpUntilItIsForgotten() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.call("c", "kept", "of c", WriteLevel.ALL);
    cluster.simulation.runFor(SECOND);
    cluster.simulation.partition(Set.of("c"));
    for (int i = 0; i < 5; i++) {
      cluster.call("b", "k", "v" + i, WriteLevel.LOCAL);
      cluster.simulation.runFor(2 * SECOND);
      cluster.simulation.node("b").crash();
      cluster.simulation.node("b").restart();
      cluster.simulation.runFor(2 * SECOND);
    }
    cluster.simulation.runFor(10 * SECOND);
    ReplicatedCollections a = cluster.site("a").collections();
    assertThat(a.metrics().writers()).isGreaterThan(3);
    assertThat(a.metrics().replicasAway()).isEqualTo(1);
    assertThatThrownBy(() -> a.forget("b", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'b' is a live member");

    assertThat(a.forget("c", Duration.ZERO)).isFalse();
    cluster.simulation.runFor(10 * SECOND);
    assertThat(a.forget("c", Duration.ZERO)).isTrue();
    cluster.simulation.runFor(SECOND);
    assertThat(a.metrics().replicasAway()).isZero();
    assertThat(a.metrics().writers()).isLessThanOrEqualTo(2);
    assertThat(cluster.site("b").collections().metrics().writers()).isLessThanOrEqualTo(2);
    assertThat(cluster.site("a").map()).containsEntry("kept", "of c");

    cluster.simulation.heal();
    cluster.simulation.runFor(5 * SECOND);
    assertThatThrownBy(() -> cluster.site("c").map().put("k", "late"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("open it anew");
    cluster.simulation.node("c").crash();
    cluster.simulation.node("c").restart();
    cluster.simulation.runFor(5 * SECOND);
    cluster.site("c").map().withLevel(WriteLevel.LOCAL).put("k", "back");
    cluster.simulation.runFor(SECOND);

    assertThat(cluster.hasConverged()).isTrue();
    assertThat(cluster.site("a").map()).containsEntry("k", "back").containsEntry("kept", "of c");
  }
}
