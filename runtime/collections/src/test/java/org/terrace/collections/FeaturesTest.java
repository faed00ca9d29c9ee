package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Checkpoint;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.FieldNumber;
import org.terrace.core.codec.RecordCodec;
import org.terrace.testing.Depth;

class FeaturesTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final MapOptions<String, String> LOCAL =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);

  /** The last ten of thirty keys. */
  private static final String[] NEWEST =
      IntStream.range(20, 30).mapToObj(i -> "k" + i).toArray(String[]::new);

  record Older(@FieldNumber(1) String name, @FieldNumber(2) int age) {}

  record Newer(@FieldNumber(2) int age, @FieldNumber(3) String town, @FieldNumber(1) String name) {}

  @TempDir Path folder;

  @Test
  void anEntryExpiresEverywhereAndStaysAway() {
    Replicas replicas = new Replicas(2);
    MapOptions<String, String> options = LOCAL.withTimeToLive(Duration.ofSeconds(1));
    var a = replicas.get(0).map("map", options);
    var b = replicas.get(1).map("map", options);
    a.put("short", "1");
    replicas.simulation.runFor(SECOND / 2);
    b.put("long", "2");
    replicas.simulation.runFor(SECOND * 6 / 10);

    assertThat(a.get("short")).isNull();
    assertThat(b).containsOnlyKeys("long");
    assertThat(a.size()).isEqualTo(1);
    replicas.simulation.runFor(12 * SECOND);
    assertThat(replicas.get(0).metrics().entries()).isZero();
    assertThat(replicas.get(1).metrics().entries()).isZero();
  }

  @Test
  void theOldestGoWhenThereAreTooMany() {
    Replicas replicas = new Replicas(3);
    var a = replicas.get(0).map("map", LOCAL.withEntriesMax(10));
    var b = replicas.get(1).map("map", LOCAL.withEntriesMax(10));
    replicas.get(2).map("map", LOCAL.withEntriesMax(10));
    for (int i = 0; i < 30; i++) {
      a.put("k" + i, "v");
      replicas.simulation.runFor(SECOND / 100);
    }
    replicas.simulation.runFor(2 * SECOND);

    assertThat(a).containsOnlyKeys(NEWEST);
    assertThat(b).isEqualTo(a);
  }

  @Test
  void theOldestGoThoughOneMemberAloneOpenedTheMap() {
    Replicas replicas = new Replicas(3);
    var a = replicas.get(0).map("map", LOCAL.withEntriesMax(10));
    for (int i = 0; i < 30; i++) {
      a.put("k" + i, "v");
    }
    replicas.simulation.runFor(5 * SECOND);

    assertThat(a).containsOnlyKeys(NEWEST);
  }

  @Test
  void oneWildClockOfThreeEndsNobodysEntries() {
    for (long hours = Depth.of(-1, 1); hours <= 1; hours += 2) {
      Replicas replicas = new Replicas(3);
      var options = LOCAL.withTimeToLive(Duration.ofMinutes(30));
      var a = replicas.get(0).map("map", options);
      var wild = replicas.get(2).map("map", options);
      a.put("before", "v");
      replicas.converge();
      replicas.simulation.node("c").shiftClock(hours * Duration.ofHours(1).toNanos());
      replicas.simulation.runFor(2 * SECOND);
      for (int i = 0; i < 50; i++) {
        a.put("k" + i, "v");
        wild.put("w" + i, "v");
      }
      replicas.converge();
      replicas.simulation.runFor(20 * SECOND);

      assertThat(a)
          .as(
              "%d hours off: %d here, %d there, agreed %d and %d",
              hours,
              a.size(),
              wild.size(),
              replicas.get(0).agreedEpochMillis(),
              replicas.get(2).agreedEpochMillis())
          .hasSize(101);
      assertThat(wild).hasSize(101);
      replicas.simulation.runFor(Duration.ofMinutes(31).toNanos());
      assertThat(a).isEmpty();
      assertThat(wild).isEmpty();
    }
  }

  @Test
  void ofTwoClocksTheOneThatKeepsEntriesCounts() {
    Replicas replicas = new Replicas(2);
    var options = LOCAL.withTimeToLive(Duration.ofMinutes(30));
    var a = replicas.get(0).map("map", options);
    var b = replicas.get(1).map("map", options);
    replicas.simulation.runFor(SECOND);
    replicas.simulation.node("b").shiftClock(Duration.ofHours(1).toNanos());
    a.put("k", "v");
    replicas.simulation.runFor(20 * SECOND);
    assertThat(b).containsKey("k");
    replicas.simulation.node("b").shiftClock(-Duration.ofHours(2).toNanos());
    replicas.simulation.runFor(SECOND);
    b.put("l", "v");
    replicas.converge();
    replicas.simulation.node("b").crash();
    replicas.simulation.runFor(Duration.ofMinutes(2).toNanos());

    assertThat(a).as("a slow clock that goes makes nothing expire at once").containsKey("l");
  }

  @Test
  void listenersHearWhatChangedAndWhy() {
    Replicas replicas = new Replicas(2);
    var a = replicas.get(0).map("map", LOCAL);
    var b = replicas.get(1).map("map", LOCAL);
    List<Change<String, String>> heard = new ArrayList<>();
    b.addListener(Runnable::run, heard::add);
    a.put("k", "1");
    replicas.converge();
    b.remove("k");

    assertThat(heard)
        .containsExactly(
            new Change<>("k", Optional.empty(), Optional.of("1"), ChangeCause.REMOTE),
            new Change<>("k", Optional.of("1"), Optional.empty(), ChangeCause.LOCAL));
  }

  @Test
  void aListenerThatIsRemovedHearsNothingMore() {
    Replicas replicas = new Replicas(1);
    var map = replicas.get(0).map("map", LOCAL);
    List<Change<String, String>> heard = new ArrayList<>();
    Runnable removal = map.addListener(Runnable::run, heard::add);
    map.put("k", "1");
    removal.run();
    map.put("k", "2");

    assertThat(heard).hasSize(1);
  }

  @Test
  void theUsersPolicyJoinsConcurrentValues() {
    Replicas replicas = new Replicas(2);
    ValuePolicy<String> join =
        values -> values.stream().sorted().reduce((x, y) -> x + "+" + y).orElseThrow();
    var a = replicas.get(0).map("map", LOCAL.withPolicy(join));
    var b = replicas.get(1).map("map", LOCAL.withPolicy(join));
    a.put("k", "x");
    b.put("k", "y");
    replicas.converge();

    assertThat(a.get("k")).isEqualTo("x+y");
    assertThat(b.get("k")).isEqualTo("x+y");
    assertThat(a.values("k")).hasSize(2);
    a.put("k", "z");
    replicas.converge();
    assertThat(b.values("k")).containsExactly("z");
  }

  @Test
  void mutableValuesGoByCopy() {
    Replicas replicas = new Replicas(1);
    var map = replicas.get(0).map("map", MapOptions.of(Codecs.string(), Codecs.bytes()));
    byte[] value = {1, 2};
    map.put("k", value);
    value[0] = 9;
    map.get("k")[1] = 9;

    assertThat(map.get("k")).containsExactly(1, 2);
  }

  @Test
  void immutableValuesAreNotCopied() {
    Replicas replicas = new Replicas(1);
    var map = replicas.get(0).map("map", LOCAL);
    String value = "value".repeat(2);
    map.put("k", value);

    assertThat(map.get("k")).isSameAs(value);
  }

  @Test
  void whatArrivesBeforeACollectionIsOpenedIsInIt() {
    Replicas replicas = new Replicas(2);
    replicas.get(0).map("map", LOCAL).put("k", "v");
    replicas.converge();

    assertThat(replicas.get(1).map("map", LOCAL)).containsEntry("k", "v");
    assertThatThrownBy(() -> replicas.get(1).map("map", LOCAL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("map");
  }

  @Test
  void aSessionTokenIsCoveredOnceItsUpdatesHaveCome() {
    Replicas replicas = new Replicas(2);
    replicas.get(0).map("map", LOCAL).put("k", "v");
    SessionToken token = new SessionToken(replicas.get(0).token().bytes());

    assertThat(replicas.get(0).await(token, Duration.ZERO)).isTrue();
    assertThat(replicas.get(1).await(token, Duration.ZERO)).isFalse();
    replicas.converge();
    assertThat(replicas.get(1).await(token, Duration.ZERO)).isTrue();
  }

  @Test
  void aCheckpointHoldsEverythingAndADamagedOneIsRefused() throws Exception {
    Replicas replicas = new Replicas(2);
    var map = replicas.get(0).map("map", LOCAL);
    for (int i = 0; i < 50; i++) {
      map.put("k" + i, "v" + i);
    }
    map.remove("k0");
    Path file = folder.resolve("replica.checkpoint");
    replicas.get(0).writeCheckpoint(file);

    ReplicaState restored = new ReplicaState(0);
    HybridClock clock = replicas.get(0).replica().writes().clock();
    assertThat(Checkpoint.read(file, restored, clock)).isTrue();
    assertThat(restored.fingerprint()).isEqualTo(replicas.get(0).state().fingerprint());
    assertThat(restored.entries()).isEqualTo(49);
    assertThat(folder.toFile().list()).containsExactly("replica.checkpoint");

    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    ReplicaState untouched = new ReplicaState(0);
    assertThatThrownBy(() -> Checkpoint.read(file, untouched, clock))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(file.toString());
    assertThat(untouched.entries()).isZero();
  }

  /** As a transfer to a newcomer takes them, while its sender still opens its collections. */
  @Test
  void entriesTakenUpForATransferCanBeSentWhenTheirCollectionIsOpenedAndRead() {
    Replicas replicas = new Replicas(1);
    replicas.get(0).map("map", LOCAL).put("k", "v");
    Path file = folder.resolve("replica.checkpoint");
    replicas.get(0).writeCheckpoint(file);
    ReplicaState restored = new ReplicaState(0);
    HybridClock clock = replicas.get(0).replica().writes().clock();
    assertThat(Checkpoint.read(file, restored, clock)).isTrue();

    List<LiveEntry<?>> taken = restored.liveEntries();
    byte[] before = taken.getFirst().toStateEntry().value();
    Store<String, String> opened =
        restored.open("map", Codecs.string(), Codecs.string(), new ConcurrentHashMap<>());
    Version version = Objects.requireNonNull(opened.get("k"));
    assertThat(version.value(opened.values)).isEqualTo("v");

    assertThat(taken.getFirst().toStateEntry().value()).isEqualTo(before);
  }

  @Test
  void aCheckpointOfThisVeryIncarnationIsRefused() {
    Replicas replicas = new Replicas(1);
    replicas.get(0).map("map", LOCAL).put("k", "v");
    Path file = folder.resolve("replica.checkpoint");
    replicas.get(0).writeCheckpoint(file);
    ReplicaState restored = new ReplicaState(0);
    Checkpoint.read(file, restored, replicas.get(0).replica().writes().clock());

    assertThatThrownBy(() ->
            ReplicatedCollections.open(replicas.group(0), CollectionsOptions.defaults(), restored))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("identity");
  }

  @Test
  void anOldReplicaPassesOnWhatItDoesNotUnderstand() {
    Replicas replicas = new Replicas(3);
    Newer value = new Newer(40, "ulm", "bob");
    replicas
        .get(0)
        .map("people", MapOptions.of(Codecs.string(), RecordCodec.of(Newer.class)))
        .putAsync("k", value);
    var old =
        replicas.get(1).map("people", MapOptions.of(Codecs.string(), RecordCodec.of(Older.class)));
    replicas.converge();
    assertThat(old.get("k")).isEqualTo(new Older("bob", 40));

    StateEntry passedOn = replicas.get(1).state().liveEntries().getFirst().toStateEntry();
    assertThat(RecordCodec.of(Newer.class).decode(new Decoder(passedOn.value()))).isEqualTo(value);
  }
}
