package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.gossip.CoreMaker;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.ReplicaState;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * The core of a replica as a function of its inputs: what reached each core in random histories is
 * given to an equal one, which must give the same, bit by bit, after each step and at the end.
 */
public class CoreReplayTest {
  private static final int HISTORIES = Depth.of(400, 40);

  /** Histories within which a planted read must show. */
  private static final int HISTORIES_TO_FIND = 40;

  private static final long SECOND = SimulatedCluster.SECOND;

  /** A history whose cores are recorded, one an incarnation. */
  private static final class Recorded implements SimulatedCluster.Addition {
    final List<CoreRecording> recordings = new ArrayList<>();
    private final long seed;
    private final Planted planted;

    Recorded(long seed, Planted planted) {
      this.seed = seed;
      this.planted = planted;
    }

    ReplicaState state(long logBytesMax) {
      CoreRecording recording = new CoreRecording(seed + recordings.size());
      recordings.add(recording);
      return new RecordedState(logBytesMax, planted, recording);
    }

    @Override
    public CoreMaker cores(ReplicaState state, CollectionsOptions options) {
      RecordedState recorded = (RecordedState) state;
      return recorded.recording.maker(recorded, options.clockSkewMax().toMillis());
    }

    /** Plays the history of its seed, of one of four sorts. */
    Recorded run() {
      switch ((int) Math.floorMod(seed, 4L)) {
        case 0 -> SimulatedHistories.restarts(seed, this::state, this);
        case 1 -> forget(SimulatedDepartures.run(seed, this::state, this).cluster);
        case 2 -> damage(SimulatedHistories.cluster(seed, this::state, this));
        default ->
            SimulatedHistories.unleash(seed, SimulatedHistories.cluster(seed, this::state, this));
      }
      return this;
    }

    private void forget(SimulatedCluster cluster) {
      cluster.running().getFirst().replica().forget("nobody");
      cluster.simulation.runFor(SECOND);
    }

    private void damage(SimulatedCluster cluster) {
      cluster.settle();
      for (int i = 0; i < 60; i++) {
        cluster.call(cluster.names.getFirst(), "d" + i, "v" + i, WriteLevel.LOCAL);
        cluster.simulation.runFor(SECOND / 100);
      }
      cluster.simulation.runFor(2 * SECOND);
      ((RecordedState) cluster.site(cluster.names.getLast()).state()).damage();
      cluster.simulation.runFor(2 * SECOND);
    }

    /** The first difference between a core and the equal one, if there is any. */
    Optional<String> difference() {
      return recordings.stream().flatMap(each -> each.replayed().stream()).findFirst();
    }
  }

  @Test
  void anEqualCoreGivesTheSame() {
    Map<String, Integer> kinds = new TreeMap<>();
    long steps = 0;
    for (long seed : Seeds.histories("anEqualCoreGivesTheSame", HISTORIES)) {
      Recorded history = new Recorded(seed, Planted.NOTHING).run();
      assertThat(history.difference()).as("seed %d", seed).isEmpty();
      for (CoreRecording recording : history.recordings) {
        recording.kinds.forEach((kind, count) -> kinds.merge(kind, count, Integer::sum));
        steps += recording.steps();
      }
    }
    System.out.printf("%d steps given again: %s%n", steps, kinds);
    assertThat(kinds)
        .containsKeys("Round", "Compare", "ViewChanged", "Forget", "Leave", "CheckpointDiscarded")
        .containsKeys("apply", "own", "add", "join", "tick", "open", "damage")
        .containsKeys("gives Send", "gives Acknowledged", "gives Join", "gives Reconciled");
    assertThat(kinds.keySet())
        .as("the digest, and the six kinds of messages of a transfer")
        .filteredOn(kind -> kind.startsWith("Received "))
        .hasSize(7);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
  void aReadOfWhatNobodyGaveIsFound(Planted planted) {
    long first = Seeds.next("aReadOfWhatNobodyGaveIsFound " + planted);

    assertThat(historiesToFind(first, planted)).isPresent();
  }

  private static OptionalInt historiesToFind(long first, Planted planted) {
    for (int i = 0; i < HISTORIES_TO_FIND; i++) {
      if (new Recorded(first + i, planted).run().difference().isPresent()) {
        return OptionalInt.of(i + 1);
      }
    }
    return OptionalInt.empty();
  }
}
