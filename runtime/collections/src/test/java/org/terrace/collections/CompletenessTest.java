package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Checkpoint;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.StepTime;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/** A replica's certainty that nothing there was up to a moment is unknown to it. */
class CompletenessTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final List<String> NAMES = List.of("a", "b");
  private static final String CHECKPOINT = "checkpoint";
  private static final MapOptions<String, String> MAP =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);

  private final Simulation simulation = new Simulation(1, SimulationOptions.calm());
  private final Map<String, SimulatedGroup> groups = new TreeMap<>();
  private final Map<String, ReplicatedCollections> replicas = new TreeMap<>();
  private final Map<String, ReplicatedMap<String, String>> maps = new TreeMap<>();

  private ReplicatedCollections open(String name, boolean isTold) {
    simulation.addNode(
        name,
        node -> {
          SimulatedGroup group = new SimulatedGroup(node, MembershipOptions.defaults(), NAMES);
          CollectionsOptions options = CollectionsOptions.defaults().withTime(node.time());
          ReplicaState state = new ReplicaState(options.logBytesMax());
          if (node.disk().containsKey(CHECKPOINT)) {
            read(
                node.disk().get(CHECKPOINT),
                state,
                new HybridClock(StepTime.of(node.time()), 1_000));
          }
          groups.put(name, isTold ? group.expecting(2) : group);
          replicas.put(name, ReplicatedCollections.open(group, options, state));
          maps.put(name, replicas.get(name).map("map", MAP));
        });
    return replicas.get(name);
  }

  private static void read(byte[] checkpoint, ReplicaState state, HybridClock clock) {
    try {
      Checkpoint.read(new ByteArrayInputStream(checkpoint), state, clock);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitMembers(int members) {
    assertThat(
            simulation.runUntil(
                () -> groups.values().stream().allMatch(g -> g.view().members().size() == members),
                20 * SECOND))
        .isTrue();
  }

  /** It becomes true, and what the other had before is here by the first moment of that. */
  private void assertTrueOnceItIsHere(BooleanSupplier complete, String key) {
    assertThat(simulation.runUntil(complete, 20 * SECOND)).isTrue();
    assertThat(maps.get("a")).containsKey(key);
  }

  private void assertNeverWithin(long nanos, BooleanSupplier complete) {
    assertThat(simulation.runUntil(complete, nanos)).isFalse();
  }

  @Test
  void whoeverIsAloneIsCompleteUnlessOthersAreExpected() {
    assertThat(open("a", false).completeUpToNow().getAsBoolean()).isTrue();
  }

  @Test
  void whoeverSeesFewerThanExpectedIsNot() {
    ReplicatedCollections alone = open("a", true);
    assertNeverWithin(10 * SECOND, alone.completeUpToNow());
  }

  @Test
  void theOtherIsToBeHeardAfterTheQuestion() {
    ReplicatedCollections here = open("a", true);
    open("b", true);
    awaitMembers(2);
    simulation.runFor(5 * SECOND);
    BooleanSupplier complete = here.completeUpToNow();
    assertThat(complete.getAsBoolean()).isFalse();
    maps.get("b").put("k", "v");
    assertTrueOnceItIsHere(complete, "k");
  }

  private void assertNotInACut(boolean isTold) {
    ReplicatedCollections here = open("a", isTold);
    open("b", isTold);
    awaitMembers(2);
    simulation.runFor(5 * SECOND);
    simulation.partition(Set.of("a"));
    BooleanSupplier fromBefore = here.completeUpToNow(); // nobody is missed yet
    assertNeverWithin(10 * SECOND, fromBefore);
    BooleanSupplier inTheCut = here.completeUpToNow();
    maps.get("b").put("k", "v");
    assertNeverWithin(10 * SECOND, () -> fromBefore.getAsBoolean() || inTheCut.getAsBoolean());
    simulation.heal();
    assertTrueOnceItIsHere(fromBefore, "k");
    assertTrueOnceItIsHere(inTheCut, "k");
  }

  @Test
  void whoeverIsCutOffIsNotUntilItHasWhatWasMadeMeanwhile() {
    assertNotInACut(true);
  }

  @Test
  void whoeverIsCutOffIsNotThoughNoSizeIsTold() {
    assertNotInACut(false);
  }

  @Test
  void whoeverStoodStillIsNotUntilItHasWhatWasMadeMeanwhile() {
    ReplicatedCollections here = open("a", true);
    open("b", true);
    awaitMembers(2);
    simulation.runFor(5 * SECOND);
    simulation.node("a").pause();
    simulation.runFor(30 * SECOND);
    maps.get("b").put("k", "v");
    simulation.runFor(SECOND);
    simulation.node("a").resume();
    BooleanSupplier complete = here.completeUpToNow();
    assertThat(complete.getAsBoolean()).isFalse();
    assertTrueOnceItIsHere(complete, "k");
  }

  @Test
  void whomTheCheckpointKnowsIsToBeMet() throws IOException {
    ReplicatedCollections before = open("a", false);
    open("b", false);
    awaitMembers(2);
    simulation.runFor(5 * SECOND);
    ByteArrayOutputStream checkpoint = new ByteArrayOutputStream();
    before.checkpoint().write(checkpoint);
    simulation.partition(Set.of("a"));
    simulation.node("a").crash();
    maps.get("b").put("k", "v");
    simulation.runFor(SECOND);

    simulation.node("a").disk().put(CHECKPOINT, checkpoint.toByteArray());
    simulation.node("a").restart();
    BooleanSupplier complete = replicas.get("a").completeUpToNow();
    assertThat(groups.get("a").view().lost()).isEmpty();
    assertNeverWithin(10 * SECOND, complete);
    simulation.heal();
    assertTrueOnceItIsHere(complete, "k");
  }
}
