package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.collections.SimulatedCluster.MILLI;
import static org.terrace.collections.SimulatedCluster.SECOND;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.HandleInternals;
import org.terrace.collections.PlantedFaults;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.WatchedState;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.gossip.Departure;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** A replica that is not needed any more hands over, leaves, and is forgotten by itself. */
public class DepartureSimulationTest {
  private static final int HISTORIES = Depth.of(60, 15);
  private static final int HISTORIES_TO_FIND = 2_000;
  private static final long NANOS_TO_LEAVE = 5 * SECOND;

  private static AntiEntropy departure(SimulatedCluster cluster, String name) {
    return cluster.site(name).replica().antiEntropy();
  }

  private static void leave(SimulatedCluster cluster, String name) {
    cluster.site(name).replica().leaveForGood(true);
  }

  private static boolean hasLeft(SimulatedCluster cluster, String name) {
    return cluster.simulation.runUntil(
        () -> departure(cluster, name).departure() == Departure.Phase.DONE, NANOS_TO_LEAVE);
  }

  @Test
  void aReplicaThatLeavesIsForgottenByItselfAndComesBackAsANewOne() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.call("c", "kept", "of c", WriteLevel.LOCAL);
    leave(cluster, "c");
    assertThat(hasLeft(cluster, "c")).isTrue();
    assertThatThrownBy(() -> cluster.site("c").map().put("k", "late"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("are leaving");
    cluster.site("c").group().close();
    cluster.simulation.runFor(10 * MILLI);
    cluster.gone("c");

    CollectionsMetrics atOnce = cluster.site("a").collections().metrics();
    assertThat(atOnce.replicasAway()).isZero();
    cluster.simulation.runFor(2 * SimulatedCluster.ROUNDS_OVER * 100 * MILLI);
    for (String name : Set.of("a", "b")) {
      assertThat(cluster.site(name).collections().forget("c", Duration.ZERO)).isTrue();
      assertThat(cluster.site(name).map()).containsEntry("kept", "of c");
    }

    cluster.simulation.node("c").restart();
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    cluster.call("c", "kept", "of the new c", WriteLevel.ALL);
    cluster.simulation.runFor(10 * SECOND);
    assertThat(cluster.violations()).isEmpty();
    assertThat(cluster.site("a").map()).containsEntry("kept", "of the new c");
    assertThat(cluster.site("a").collections().metrics().replicasAway()).isZero();
  }

  @Test
  void othersDoNotWaitForOneThatIsLeaving() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    leave(cluster, "c");
    int calls = 0;
    while (departure(cluster, "c").departure() != Departure.Phase.DONE && calls < 1_000) {
      cluster.call("a", "k" + calls % 7, "v" + calls, WriteLevel.ALL);
      calls++;
      cluster.simulation.runFor(5 * MILLI);
      cluster.noteAcknowledgements();
      assertThat(cluster.calls.getLast().acknowledged).isTrue();
    }
    assertThat(calls).isBetween(2, 999);
  }

  @Test
  void aReplicaThatIsKilledOnItsWayOutStaysRemembered() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.partition(Set.of("c"));
    cluster.call("c", "k", "unheard", WriteLevel.LOCAL);
    leave(cluster, "c");
    cluster.simulation.runFor(10 * SECOND);
    assertThat(departure(cluster, "c").departure()).isEqualTo(Departure.Phase.ANNOUNCED);
    cluster.gone("c");
    cluster.simulation.heal();
    cluster.simulation.runFor(30 * SECOND);

    CollectionsMetrics metrics = cluster.site("a").collections().metrics();
    assertThat(metrics.replicasAway()).isEqualTo(1);
  }

  @Test
  void nobodyLeavesWhileOneWhoIsWaitedForIsAway() {
    SimulatedCluster cluster = SimulatedCluster.calm(4);
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    cluster.simulation.node("d").crash();
    leave(cluster, "c");
    assertThat(hasLeft(cluster, "c")).isFalse();
    assertThat(departure(cluster, "c").departure()).isEqualTo(Departure.Phase.ANNOUNCED);
    assertThat(cluster.site("c").collections().metrics().replicasAway()).isEqualTo(1);

    cluster.simulation.node("d").restart();
    assertThat(hasLeft(cluster, "c")).isTrue();
  }

  private static void leaveForGood(SimulatedCluster cluster, String name) {
    leave(cluster, name);
    assertThat(hasLeft(cluster, name)).isTrue();
    cluster.gone(name);
  }

  @Test
  void oneThatIsLeavingLearnsThatAnotherHasLeftMeanwhile() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    cluster.holdsCheckpointOf = "b";
    leave(cluster, "b");
    assertThat(
            cluster.simulation.runUntil(
                () -> departure(cluster, "b").isHandedOver(), NANOS_TO_LEAVE))
        .isTrue();
    leaveForGood(cluster, "a");
    cluster.simulation.runFor(SECOND);
    assertThat(departure(cluster, "b").departure()).isEqualTo(Departure.Phase.FROZEN);

    cluster.holdsCheckpointOf = "";
    assertThat(hasLeft(cluster, "b")).isTrue();
  }

  /**
   * A cluster in which a alone has what c wrote after b had left, when all others come back and do
   * not find it.
   */
  private static SimulatedCluster returnedWithoutA(String keepsCheckpoint) {
    SimulatedCluster cluster = SimulatedCluster.calm(4);
    cluster.losesCheckpoints = Set.of();
    cluster.keepsCheckpointOf = keepsCheckpoint;
    cluster.settle();
    cluster.call("c", "kept", "of c", WriteLevel.ALL);
    cluster.simulation.runFor(SECOND);
    leaveForGood(cluster, "a");
    leaveForGood(cluster, "b");
    cluster.simulation.node("a").restart();
    cluster.simulation.runFor(SECOND);
    cluster.call("c", "k", "while b was not there", WriteLevel.ALL);
    cluster.simulation.runFor(SECOND);
    cluster.noteAcknowledgements();
    leaveForGood(cluster, "d");
    leaveForGood(cluster, "c");

    cluster.simulation.partition(Set.of("a"));
    List.of("b", "c", "d").forEach(name -> cluster.simulation.node(name).restart());
    cluster.simulation.runFor(SECOND);
    cluster.call("b", "j", "of the next b", WriteLevel.replicas(2));
    longEnoughToRetire(cluster);
    cluster.simulation.heal();
    longEnoughToRetire(cluster);
    cluster.quiesce();
    return cluster;
  }

  @Test
  void whoeverHasLeftRetiresNothingByWhatItRemembered() {
    SimulatedCluster cluster = returnedWithoutA("");
    assertThat(cluster.violations()).isEmpty();
    for (SimulatedCluster.Site site : cluster.running()) {
      assertThat(site.map())
          .containsEntry("kept", "of c")
          .containsEntry("k", "while b was not there")
          .containsEntry("j", "of the next b");
    }
  }

  @Test
  void aCheckpointThatOutlivesItsReplicasDepartureIsFound() {
    assertThat(returnedWithoutA("b").violations())
        .anyMatch(violation -> violation.startsWith("lost: k=while b was not there"));
  }

  /**
   * All but one leave, or end as b does, and come back with nothing, while that one is cut off from
   * them.
   */
  private static SimulatedCluster returnedWithNothing(int nodes) {
    SimulatedCluster cluster = SimulatedCluster.calm(nodes);
    cluster.settle();
    cluster.call("b", "kept", "of the first b", WriteLevel.ALL);
    cluster.simulation.runFor(SECOND);
    List<String> newcomers = cluster.names.subList(0, nodes - 1);
    for (String name : newcomers) {
      if (!name.equals("b")) {
        leave(cluster, name);
        assertThat(hasLeft(cluster, name)).isTrue();
        cluster.gone(name);
      }
    }
    cluster.gone("b");
    cluster.simulation.node("b").disk().clear();
    cluster.simulation.partition(Set.of(cluster.names.getLast()));
    newcomers.forEach(name -> cluster.simulation.node(name).restart());
    cluster.simulation.runFor(SECOND);
    cluster.call("b", "k", "of the next b", WriteLevel.replicas(2));
    cluster.simulation.runFor(SECOND);
    return cluster;
  }

  private static void longEnoughToRetire(SimulatedCluster cluster) {
    cluster.simulation.runFor(2 * SimulatedCluster.ROUNDS_OVER * 100 * MILLI);
  }

  @Test
  void thoseThatComeBackWithNothingRetireNoIncarnationsThatTheyHaveNotHeardOf() {
    SimulatedCluster cluster = returnedWithNothing(3);
    cluster.simulation.node("b").crash();
    cluster.simulation.node("b").restart();
    longEnoughToRetire(cluster);
    ReplicatedCollections newcomer = cluster.site("a").collections();
    assertThat(HandleInternals.replicaOf(newcomer).antiEntropy().retirements()).isPositive();
    assertThat(newcomer.metrics().replicasKnown()).isEqualTo(2);

    cluster.simulation.heal();
    longEnoughToRetire(cluster);
    cluster.quiesce();
    assertThat(cluster.violations()).isEmpty();
    for (SimulatedCluster.Site site : cluster.running()) {
      assertThat(site.map())
          .containsEntry("kept", "of the first b")
          .containsEntry("k", "of the next b");
    }
    assertThat(cluster.writersMax()).isLessThanOrEqualTo(3);
  }

  @Test
  void anIncarnationOfAForgottenReplicaThatIsBroughtBackGivesUpItsPlaceAgain() {
    SimulatedCluster cluster = returnedWithNothing(4);
    leave(cluster, "b");
    assertThat(hasLeft(cluster, "b")).isTrue();
    cluster.gone("b");
    longEnoughToRetire(cluster);
    assertThat(cluster.site("a").collections().forget("b", Duration.ZERO)).isTrue();

    cluster.simulation.heal();
    cluster.simulation.runFor(SECOND);
    assertThat(cluster.site("a").map()).containsEntry("kept", "of the first b");
    assertThat(cluster.site("a").collections().metrics().writers()).isPositive();
    longEnoughToRetire(cluster);
    assertThat(cluster.violations()).isEmpty();
    assertThat(cluster.site("a").map())
        .containsEntry("kept", "of the first b")
        .containsEntry("k", "of the next b");
    assertThat(cluster.writersMax()).isZero();
  }

  @Test
  void everyHistoryOfDeparturesLosesNothingAndForgetsWhoLeft() {
    long departures = 0;
    long killed = 0;
    long forgotten = 0;
    for (long seed : Seeds.histories("everyHistoryOfDepartures", HISTORIES)) {
      SimulatedDepartures history = SimulatedDepartures.run(seed, WatchedState::new);
      assertThat(history.violations()).as("seed %d", seed).isEmpty();
      departures += history.departures;
      killed += history.killedOnTheWay;
      forgotten += history.forgotten;
    }
    System.out.printf(
        "%d histories: %d replicas left, %d were killed on the way, %d did not return%n",
        HISTORIES, departures, killed, forgotten);
    assertThat(departures).isPositive();
    assertThat(killed).isPositive();
    assertThat(forgotten).isGreaterThanOrEqualTo(Depth.of(1, 0));
  }

  @Test
  @Tag("long")
  void aReplicaThatLeavesBeforeTheOthersHaveWhatItHasIsFound() {
    long first = Seeds.next("aReplicaThatLeavesBefore");
    for (long seed = first; seed < first + HISTORIES_TO_FIND; seed++) {
      if (!SimulatedDepartures.run(seed, PlantedFaults.LeftEarly::new).violations().isEmpty()) {
        return;
      }
    }
    throw new AssertionError("the planted fault was not found");
  }
}
