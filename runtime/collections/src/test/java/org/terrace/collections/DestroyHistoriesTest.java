package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.collections.SimulatedCluster.SECOND;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.gossip.Message;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.CollectionDestroyedException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.View;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Histories of destroyed collections that chance hardly plays: a first member that was forgotten
 * while it stood still, and a replica that is back from before it heard of the end.
 */
class DestroyHistoriesTest {
  private static final MapOptions<String, String> LOCAL =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final int FRAME_HEADER_BYTES = Byte.BYTES + 2 * Long.BYTES;
  private static final String MARKS = "\u0000destroyed";
  private static final List<String> CHECKPOINTS = List.of("checkpoint", "old checkpoint");

  /** Members whose part in the destroying stands still. */
  private final Set<Long> held = new HashSet<>();

  /** Nodes that get no gossip. */
  private final Set<String> deaf = new HashSet<>();

  private boolean isImpatient;
  private SimulatedCluster cluster;

  /** Destroys when it is let, and as planted without waiting for all to have its second mark. */
  private final class Held extends Destruction {
    private final long writer;
    private @Nullable Dot second;

    Held(Replica replica, ReplicaState state) {
      super(replica, state);
      this.writer = replica.writes().writer();
    }

    @Override
    boolean isAgreed(Dot mark) {
      if (mark.writer() == writer && second == null) {
        second = mark;
      }
      boolean isWaitedFor = !isImpatient || !mark.equals(second);
      return !held.contains(writer) && (!isWaitedFor || super.isAgreed(mark));
    }
  }

  @BeforeEach
  void meet() {
    cluster =
        new SimulatedCluster(
            1,
            SimulationOptions.calm(),
            3,
            0,
            64 << 20,
            WatchedState::new,
            SimulatedCluster.ROUNDS_OVER,
            new SimulatedCluster.Addition() {
              @Override
              public Destruction destruction(Replica replica, ReplicaState state) {
                return new Held(replica, state);
              }

              @Override
              public void started(SimulatedNode node, Site site) {
                node.onMessage((from, frame) -> {
                  if (!deaf.contains(node.name()) || !isGossip(frame)) {
                    site.group().hear(frame);
                  }
                });
              }
            });
    cluster.losesDisks = false;
    cluster.losesCheckpoints = Set.of();
    cluster.settle();
    cluster.simulation.runFor(SECOND);
  }

  private static boolean isGossip(byte[] frame) {
    return frame[0] == Group.COLLECTIONS_CHANNEL
        && Message.isGossip(Arrays.copyOfRange(frame, FRAME_HEADER_BYTES, frame.length));
  }

  private ReplicatedCollections replica(String name) {
    return cluster.site(name).collections();
  }

  private ReplicatedMap<String, String> open(String name) {
    return replica(name).map("map", LOCAL);
  }

  private void destroy(String name) {
    assertThat(replica(name).destroy("map", Duration.ZERO)).isFalse();
  }

  private View viewOf(String name) {
    return cluster.site(name).group().view();
  }

  /** The keys of the collection in the end, the same at all replicas, which is at an end itself. */
  private Set<String> keysInTheEnd() {
    assertThat(cluster.hasConverged()).isTrue();
    assertThat(cluster.site("a").state().liveEntries(MARKS)).isEmpty();
    Set<String> keys = new TreeSet<>();
    for (LiveEntry<?> live : cluster.site("a").state().liveEntries("map")) {
      keys.add(Codecs.string().decode(new Decoder(live.toStateEntry().key())));
    }
    return keys;
  }

  /**
   * The first member stands still until it is forgotten, and takes itself for the first again by
   * what it heard before, while one of the others has not learnt that it is forgotten. It has what
   * is new among what it finds.
   */
  private Set<String> firstMemberIsForgotten() {
    List<String> inOrder = viewOf("a").members().stream().map(Member::name).toList();
    String first = inOrder.get(0);
    String giver = inOrder.get(1);
    String second = inOrder.get(2);
    cluster.names.forEach(name -> open(name).put("old of " + name, "v"));
    cluster.simulation.runFor(SECOND);
    held.add(cluster.site(first).group().self().id());
    destroy(second);
    cluster.simulation.runFor(2 * SECOND);
    cluster.simulation.node(first).pause();
    cluster.simulation.runFor(5 * SECOND);
    deaf.addAll(List.of(first, second));
    replica(giver).forget(first, Duration.ZERO);
    cluster.simulation.runFor(20 * SECOND);
    ReplicatedMap<String, String> fresh = open(giver);
    assertThat(fresh).isEmpty();
    fresh.put("new", "v");
    cluster.simulation.node(first).resume();
    assertThat(cluster.simulation.runUntil(() -> viewOf(giver).members().size() == 3, 5 * SECOND))
        .isTrue();
    fresh.put("newer", "v");
    cluster.simulation.runFor(SECOND);
    held.clear();
    cluster.simulation.runFor(SECOND);
    deaf.clear();
    cluster.simulation.runFor(5 * SECOND);
    return keysInTheEnd();
  }

  @Test
  void aFirstMemberThatWasForgottenTakesNothingNewForOld() {
    assertThat(firstMemberIsForgotten()).containsExactlyInAnyOrder("new", "newer");
  }

  @Test
  void oneThatDoesNotWaitForAllToHaveItsSecondMarkDoes() {
    isImpatient = true;

    assertThat(firstMemberIsForgotten()).doesNotContain("newer");
  }

  private Map<String, byte[]> checkpointsOf(String name) {
    Map<String, byte[]> checkpoints = new HashMap<>();
    for (String file : CHECKPOINTS) {
      checkpoints.put(file, cluster.simulation.node(name).disk().get(file));
    }
    return checkpoints;
  }

  private void restart(String name, Map<String, byte[]> checkpoints) {
    cluster.simulation.node(name).disk().putAll(checkpoints);
    cluster.simulation.node(name).restart();
  }

  /** All have entries in the collection, and checkpoints of them, which are returned by name. */
  private Map<String, Map<String, byte[]>> fill() {
    cluster.names.forEach(name -> open(name).put("old of " + name, "v"));
    cluster.simulation.runFor(SECOND);
    Map<String, Map<String, byte[]>> checkpoints = new HashMap<>();
    cluster.names.forEach(name -> checkpoints.put(name, checkpointsOf(name)));
    return checkpoints;
  }

  @Test
  void whatIsPutFromBeforeTheEndGoesWithTheCollectionIfTheOthersHaveNotAgreed() {
    var before = fill();
    cluster.simulation.node("c").crash();
    destroy("a");
    cluster.simulation.runFor(3 * SECOND);
    restart("c", before.get("c"));
    ReplicatedMap<String, String> old = open("c");
    assertThat(old).hasSize(3);
    old.put("late", "v");
    cluster.simulation.runFor(5 * SECOND);

    assertThatThrownBy(() -> old.get("late")).isInstanceOf(CollectionDestroyedException.class);
    assertThat(keysInTheEnd()).isEmpty();
  }

  @Test
  void whatIsPutFromBeforeTheEndStaysAloneIfItComesAfterTheNote() {
    var before = fill();
    String first = viewOf("a").members().getFirst().name();
    String back = viewOf("a").members().getLast().name();
    long firstId = cluster.site(first).group().self().id();
    held.add(firstId);
    destroy(back);
    cluster.simulation.runFor(2 * SECOND);
    held.clear();
    assertThat(cluster.simulation.runUntil(() -> hasMarkOf(firstId, first), SECOND)).isTrue();
    held.add(firstId);
    cluster.simulation.node(back).crash();
    restart(back, before.get(back));
    open(back).put("late", "v");
    held.clear();
    cluster.simulation.runFor(10 * SECOND);

    assertThat(keysInTheEnd()).containsExactly("late");
  }

  /** Whether the first member has put its own mark, and so taken note of what there is. */
  private boolean hasMarkOf(long writer, String first) {
    return cluster.site(first).state().liveEntries(MARKS).stream()
        .anyMatch(live -> live.dot().writer() == writer);
  }

  @Test
  void whatIsPutFromBeforeTheEndStaysAloneInTheNewCollection() {
    var before = fill();
    destroy("a");
    cluster.simulation.runFor(3 * SECOND);
    open("a").put("new", "v");
    cluster.simulation.node("c").crash();
    restart("c", before.get("c"));
    ReplicatedMap<String, String> old = open("c");
    old.put("late", "v");
    cluster.simulation.runFor(5 * SECOND);

    assertThat(cluster.hasConverged()).isTrue();
    assertThat(old.keySet()).containsExactlyInAnyOrder("new", "late");
    assertThat(open("b")).isEqualTo(old);
  }

  @Test
  void whoWaitsUntilItHasCaughtUpFindsNothingOld() {
    var before = fill();
    destroy("a");
    cluster.simulation.runFor(3 * SECOND);
    cluster.simulation.node("c").crash();
    restart("c", before.get("c"));
    Replica back = replica("c").replica();
    cluster.simulation.runFor(SECOND / 10);
    assertThat(
            cluster.simulation.runUntil(
                () ->
                    viewOf("c").members().size() == 3
                        && back.within(() -> back.antiEntropy().isCaughtUpSince(-1)),
                5 * SECOND))
        .isTrue();

    assertThat(open("c")).isEmpty();
  }
}
