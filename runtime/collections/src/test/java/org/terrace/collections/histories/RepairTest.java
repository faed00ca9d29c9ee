package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.collections.SimulatedCluster.MILLI;
import static org.terrace.collections.SimulatedCluster.SECOND;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.SimulationOptions;

public class RepairTest {
  private static final long GOSSIP_NANOS = 100 * MILLI;

  @Test
  void bothSidesOfAPartitionSurviveAndAgreeTwoSecondsAfterItHeals() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.partition(Set.of("a"));
    for (int i = 0; i < 100; i++) {
      cluster.call("a", "k" + i, "a" + i, WriteLevel.LOCAL);
      cluster.call("b", "k" + i, "b" + i, WriteLevel.LOCAL);
      cluster.simulation.runFor(50 * MILLI);
    }
    cluster.simulation.heal();
    cluster.simulation.runFor(2 * SECOND);

    assertThat(cluster.violations()).isEmpty();
    assertThat(cluster.site("c").map().values("k99")).containsExactlyInAnyOrder("a99", "b99");
  }

  @Test
  void fiveRoundsSufficeUnderThirtyPercentLoss() {
    int slow = 0;
    for (long seed : Seeds.histories("fiveRoundsSufficeUnderThirtyPercentLoss", Depth.of(50, 5))) {
      SimulatedCluster cluster =
          new SimulatedCluster(seed, SimulationOptions.lossy(0.3), 3, 64 << 20, WatchedState::new);
      cluster.settle();
      for (int i = 0; i < 200; i++) {
        cluster.call("a", "k" + i % 20, "v" + i, WriteLevel.LOCAL);
        cluster.simulation.runFor(MILLI);
      }
      cluster.simulation.runFor(5 * GOSSIP_NANOS);
      slow += cluster.hasConverged() ? 0 : 1;
    }
    assertThat(slow).isLessThanOrEqualTo(2);
  }

  @Test
  void aNewMemberGetsTenThousandEntriesWithinASecond() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.node("c").crash();
    for (int i = 0; i < 10_000; i++) {
      cluster.site("a").map().putAsync("k" + i, "v".repeat(1_000));
      cluster.simulation.runFor(MILLI / 10);
    }
    cluster.simulation.runFor(5 * SECOND);
    cluster.simulation.node("c").disk().clear();
    cluster.simulation.node("c").shiftClock(SECOND);
    cluster.simulation.node("c").restart();
    cluster.simulation.runFor(SECOND);

    assertThat(cluster.site("c").map()).hasSize(10_000);
    assertThat(cluster.hasConverged()).isTrue();
  }

  @Test
  void metadataStaysFlatOverManyPutsAndRemovals() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    for (int i = 0; i < Depth.of(30_000, 3_000); i++) {
      ReplicatedMap<String, String> map = cluster.site(cluster.names.get(i % 3)).map();
      map.putAsync("k" + i, "v");
      map.removeAsync("k" + i);
      if (i % 50 == 0) {
        cluster.simulation.runFor(2 * MILLI);
      }
    }
    cluster.simulation.runFor(2 * SECOND);

    for (SimulatedCluster.Site site : cluster.running()) {
      CollectionsMetrics metrics = site.collections().metrics();
      assertThat(metrics.entries()).isZero();
      assertThat(metrics.writers()).isEqualTo(3);
      assertThat(metrics.gaps()).isZero();
      assertThat(metrics.supersededAhead()).isZero();
      assertThat(metrics.logUpdates()).isZero();
      assertThat(metrics.silentDivergences()).isZero();
    }
  }

  @Test
  void aSilentDivergenceIsFoundToldAndMended() {
    SimulatedCluster cluster = SimulatedCluster.calm(2);
    cluster.settle();
    for (int i = 0; i < 100; i++) {
      cluster.call("a", "k" + i, "v" + i, WriteLevel.LOCAL);
    }
    cluster.simulation.runFor(SECOND);
    ReplicaState damaged = cluster.site("b").state();
    damaged.liveEntries().subList(0, 7).forEach(live -> live.remove(ChangeCause.REPAIR));
    cluster.simulation.runFor(2 * SECOND);

    assertThat(cluster.hasConverged()).isTrue();
    assertThat(cluster.site("b").map()).hasSize(100);
    assertThat(cluster.reconciliations).anyMatch(one -> one.kind() == Reconciliation.Kind.AUDIT);
  }

  @Test
  void contentThatDiffersUnderOneDotIsFoundToldAndMended() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    for (int i = 0; i < 100; i++) {
      cluster.call("a", "k" + i, "v" + i, WriteLevel.LOCAL);
    }
    cluster.simulation.runFor(SECOND);
    cluster.isDamaged = true;
    ReplicaState altered = cluster.site("b").state();
    List<LiveEntry<?>> live = altered.liveEntries();
    for (int i = 0; i < 10; i++) {
      AlteredScenario.alter(altered, live.get(i), "altered");
    }
    AlteredScenario.alter(altered, live.get(10), Codecs.string().toBytes("elsewhere"), "altered");
    assertThat(cluster.hasConverged()).isFalse();
    cluster.simulation.runFor(3 * SECOND);

    assertThat(cluster.violations()).isEmpty();
    assertThat(cluster.site("b").map()).hasSize(100).doesNotContainValue("altered");
    assertThat(cluster.reconciliations).anyMatch(one -> one.kind() == Reconciliation.Kind.AUDIT);
    assertThat(cluster.site("b").collections().metrics().silentDivergences()).isPositive();
  }

  @Test
  void contentWhoseWriterIsGoneBecomesTheSameEverywhere() {
    SimulatedCluster cluster = SimulatedCluster.calm(4);
    cluster.settle();
    for (int i = 0; i < 20; i++) {
      cluster.call("a", "k" + i, "v" + i, WriteLevel.LOCAL);
    }
    cluster.simulation.runFor(SECOND);
    cluster.gone("a");
    cluster.simulation.node("a").disk().clear();
    for (String name : List.of("b", "c")) {
      ReplicaState altered = cluster.site(name).state();
      List<LiveEntry<?>> live = altered.liveEntries();
      for (int i = 0; i < 20; i += name.equals("b") ? 2 : 3) {
        AlteredScenario.alter(altered, live.get(i), "altered by " + name);
      }
    }
    assertThat(cluster.hasConverged()).isFalse();
    cluster.simulation.runFor(5 * SECOND);

    assertThat(cluster.hasConverged()).isTrue();
    assertThat(cluster.site("b").map())
        .hasSize(20)
        .isEqualTo(cluster.site("c").map())
        .isEqualTo(cluster.site("d").map());
  }

  @Test
  void theAuditBringsNothingBackThatIsRemovedMeanwhile() {
    for (long seed :
        Seeds.histories("theAuditBringsNothingBackThatIsRemovedMeanwhile", Depth.of(10, 2))) {
      SimulatedCluster cluster =
          new SimulatedCluster(seed, SimulationOptions.calm(), 2, 64 << 20, WatchedState::new);
      RandomGenerator random = Seeds.generator(seed);
      cluster.settle();
      for (int i = 0; i < 100; i++) {
        cluster.site("a").map().putAsync("k" + i, "v" + i);
      }
      cluster.simulation.runFor(SECOND);
      List<LiveEntry<?>> live = cluster.site("b").state().liveEntries();
      for (int i = 0; i < live.size(); i += 2) {
        live.get(i).remove(ChangeCause.REPAIR);
      }
      Set<String> left = new TreeSet<>();
      for (int i = 0; i < 100; i++) {
        cluster.site("b").map().putAsync("w" + i, "w");
        if (i % 3 > 0) {
          cluster.site("a").map().removeAsync("k" + i);
        } else {
          left.add("k" + i);
        }
        left.add("w" + i);
        cluster.simulation.runFor(random.nextLong(4 * MILLI));
      }
      cluster.simulation.runFor(3 * SECOND);

      assertThat(cluster.hasConverged()).as("seed %d", seed).isTrue();
      assertThat(cluster.site("a").map().keySet()).as("seed %d", seed).isEqualTo(left);
      assertThat(cluster.site("b").map().keySet()).as("seed %d", seed).isEqualTo(left);
      assertThat(cluster.reconciliations).anyMatch(one -> one.kind() == Reconciliation.Kind.AUDIT);
    }
  }

  @Test
  void anIdleGroupSendsOneMessageAProcessAndRound() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.call("a", "k", "v", WriteLevel.LOCAL);
    cluster.simulation.runFor(SECOND);
    long before = cluster.site("a").group().counters().messagesSent();
    cluster.simulation.runFor(10 * GOSSIP_NANOS);

    assertThat(cluster.site("a").group().counters().messagesSent() - before)
        .isLessThanOrEqualTo(10);
  }
}
