package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Checkpoint;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.StepTime;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Group;
import org.terrace.groups.Member;

/** Much of something, or something that one member alone does not know, holds nobody up. */
class LimitsTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final MapOptions<String, String> LOCAL =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);

  @TempDir Path folder;

  @Test
  void entriesExpireAndGoThoughOneMemberAloneOpenedTheMap() {
    Replicas replicas = new Replicas(3);
    var options = LOCAL.withTimeToLive(Duration.ofSeconds(1));
    var expiring = replicas.get(0).map("expiring", options);
    var bounded = replicas.get(0).map("bounded", LOCAL.withEntriesMax(10));
    for (int i = 0; i < 100; i++) {
      expiring.put("k" + i, "v");
      bounded.put("k" + i, "v");
    }
    replicas.converge();
    replicas.simulation.runFor(14 * SECOND);

    assertThat(replicas.get(2).metrics().entries()).isEqualTo(10);
    assertThat(bounded).hasSize(10);
    assertThat(expiring).isEmpty();
  }

  @Test
  void aKeyThatOneMemberCannotReadIsKeptThereAndHoldsNobodyUp() {
    Replicas replicas = new Replicas(2);
    Codec<String> picky =
        Codecs.immutable(
            (text, out) -> Codecs.string().encode(text, out),
            in -> {
              String text = Codecs.string().decode(in);
              if (text.startsWith("new ")) {
                throw new MalformedDataException("a key of a version to come: " + text);
              }
              return text;
            });
    var a = replicas.get(0).map("map", LOCAL);
    var b = replicas.get(1).map("map", MapOptions.of(picky, Codecs.string()));
    a.put("old k", "v");
    a.put("new k", "v1");
    var last = a.withLevel(WriteLevel.ALL).putAsync("new k", "v2");
    a.put("new gone", "v");
    a.remove("new gone");
    replicas.converge();
    replicas.simulation.runFor(SECOND);

    assertThat(last.isAcknowledged()).isTrue();
    assertThat(b).containsOnlyKeys("old k");
    assertThat(replicas.get(1).metrics().entries()).isEqualTo(2);
    replicas.get(1).writeCheckpoint(folder.resolve("checkpoint"));
    ReplicaState restored = new ReplicaState(0);
    HybridClock clock = replicas.get(1).replica().writes().clock();
    Checkpoint.read(folder.resolve("checkpoint"), restored, clock);
    assertThat(restored.fingerprint()).isEqualTo(replicas.get(0).state().fingerprint());
  }

  @Test
  void tenThousandNamesAndAHundredThousandDotsCanBeReadBack() {
    ReplicaState state = new ReplicaState(0);
    for (int i = 0; i < 10_000; i++) {
      state.applied().roster().enrol(Member.idAt("pod-" + i, 1));
    }
    Dot dot = new Dot(Member.idAt("writer", 1), 0);
    for (int i = 1; i <= 100_000; i++) {
      state.supersededAhead().add(new Dot(dot.writer(), 2L * i));
    }
    Encoder out = new Encoder();
    state.applied().encode(out);
    VersionVector read = VersionVector.decode(new Decoder(out.toBytes()));
    assertThat(read.roster().size()).isEqualTo(10_000);
    assertThat(read.covers(state.applied())).isTrue();

    Path file = folder.resolve("checkpoint");
    new Checkpoint(state).write(file);
    ReplicaState restored = new ReplicaState(0);
    Checkpoint.read(file, restored, new HybridClock(StepTime.of(TimeSource.system()), 0));
    assertThat(restored.supersededAhead()).hasSize(100_000);
  }

  @Test
  void aCheckpointOfAnEarlierVersionIsRefusedByName(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("checkpoint");
    for (long magic : new long[] {0x5445_5252_4143_4534L, 0x5445_5252_4143_4535L}) {
      Files.write(file, ByteBuffer.allocate(Long.BYTES).putLong(magic).array());
      HybridClock clock = new HybridClock(StepTime.of(TimeSource.system()), 0);

      assertThatThrownBy(() -> Checkpoint.read(file, new ReplicaState(0), clock))
          .hasMessageContaining(file.toString())
          .hasMessageContaining("an earlier version wrote it");
    }
  }

  @Test
  void stampsGoOnAfterThoseOfACheckpoint() {
    SimulatedCluster cluster = SimulatedCluster.calm(1);
    cluster.losesCheckpoints = Set.of();
    cluster.site("a").map().putAsync("k", "v");
    cluster.simulation.runFor(SECOND);
    cluster.simulation.node("a").crash();
    cluster.simulation.node("a").shiftClock(-5 * SECOND);
    cluster.simulation.node("a").restart();
    SimulatedCluster.Site again = cluster.site("a");
    HybridClock clock = again.collections().replica().writes().clock();

    assertThat(again.map()).containsKey("k");
    assertThat(clock.next())
        .isGreaterThan(again.state().liveEntries().getFirst().toStateEntry().stamp());
  }

  @Test
  void aMessageOfAnotherVersionIsCountedAndHasNoEffect() {
    Replicas replicas = new Replicas(2);
    Member other = replicas.group(1).self();
    int digestBeforeVersions = 4;
    for (int version :
        new int[] {0, Group.PROTOCOL_VERSION_LEAST - 1, Group.PROTOCOL_VERSION + 1}) {
      byte[] message = {(byte) (version << 4 | digestBeforeVersions), 0, 0, 0};
      replicas.group(0).send(other, Group.COLLECTIONS_CHANNEL, ByteBuffer.wrap(message));
    }
    replicas.simulation.runFor(SECOND / 10);

    assertThat(replicas.get(1).metrics().incompatibleMessages()).isEqualTo(3);
    assertThat(replicas.get(1).metrics().malformedMessages()).isZero();
  }

  @Test
  void whatIsAddedAgainSurvivesARemovalMadeAtTheSameTime() {
    Replicas replicas = new Replicas(2);
    SetOptions<String> options = SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);
    var a = replicas.get(0).set("set", options);
    var b = replicas.get(1).set("set", options);
    a.add("m");
    replicas.converge();
    assertThat(a.add("m")).isFalse();
    assertThat(b.remove("m")).isTrue();
    replicas.converge();

    assertThat(a).containsExactly("m");
    assertThat(b).containsExactly("m");
  }

  @Test
  void whatExpiredIsToldWithItsValue() {
    Replicas replicas = new Replicas(1);
    var map = replicas.get(0).map("map", LOCAL.withTimeToLive(Duration.ofSeconds(1)));
    List<Change<String, String>> changes = new ArrayList<>();
    map.addListener(Runnable::run, changes::add);
    map.put("k", "v");
    replicas.simulation.runFor(12 * SECOND);

    assertThat(changes.getLast().cause()).isEqualTo(ChangeCause.EXPIRED);
    assertThat(changes.getLast().before()).isEqualTo(Optional.of("v"));
  }

  @Test
  void whatWasRepairedBeforeItsCollectionWasOpenedCanBeRead() {
    Replicas replicas = new Replicas(2);
    var a = replicas.get(0).map("map", LOCAL);
    a.put("k", "v");
    replicas.converge();
    replicas
        .get(1)
        .replica()
        .within(() -> {
          var live = replicas.get(1).state().liveEntries().getFirst();
          var entry = live.toStateEntry();
          replicas
              .get(1)
              .replica()
              .writes()
              .putBytes(live.store(), entry.key(), entry.value(), 0, List.of(entry.dot()));
          return null;
        });

    assertThat(replicas.get(1).map("map", LOCAL)).isEqualTo(Map.of("k", "v"));
  }

  @Test
  void anAuditRestoresThePutThatWasLostAndNotWhatIsSupersededMeanwhile() {
    Replicas replicas = new Replicas(2);
    var a = replicas.get(0).map("map", LOCAL);
    var b = replicas.get(1).map("map", LOCAL);
    a.put("lost", "v");
    a.put("removed", "v");
    replicas.converge();
    ReplicaState damaged = replicas.get(1).state();
    List<StateEntry> there =
        damaged.liveEntries().stream().map(live -> live.toStateEntry()).toList();
    damaged.liveEntries().forEach(live -> live.remove(ChangeCause.REPAIR));
    damaged.watchSuperseded(0, writer -> false);
    a.remove("removed"); // arrives after the other told what it has, and before it is asked for it
    replicas.simulation.runFor(SECOND / 100);
    List<StateEntry> restored =
        replicas.get(1).replica().within(() -> there.stream().filter(damaged::restore).toList());
    damaged.endWatch();

    assertThat(restored).hasSize(1);
    assertThat(b).isEqualTo(Map.of("lost", "v")).isEqualTo(a);
    assertThat(damaged.liveEntries().getFirst().toStateEntry().dot())
        .isEqualTo(restored.getFirst().dot());
    a.remove("lost"); // of the put that was restored, not of a newer one
    replicas.converge();
    assertThat(b).isEmpty();
  }
}
