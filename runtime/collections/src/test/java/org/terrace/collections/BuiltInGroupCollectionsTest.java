package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.Await;

/** Three replicas on real sockets, in one process. */
@Tag("real-processes")
@Tag("untimed")
class BuiltInGroupCollectionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final MapOptions<String, String> ALL =
      MapOptions.of(Codecs.string(), Codecs.string());

  private final List<Group> groups = new ArrayList<>();
  private final List<ReplicatedCollections> replicas = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();

  @BeforeEach
  void open() {
    for (int i = 0; i < 3; i++) {
      openReplica("m" + i);
    }
    await("three members", () -> groups.stream().allMatch(g -> g.view().members().size() == 3));
    // A replica is told of a view after the group shows it, and "all" are those that it knows.
    await(
        "replicas that know each other",
        () -> replicas.stream().allMatch(replica -> replica.metrics().replicasKnown() == 3));
  }

  private void openReplica(String name) {
    Group group =
        Groups.open(
            GroupOptions.of("collections", name, Discovery.of(addresses))
                .withAddress(InetAddress.ofLiteral("127.18.2.1"), 0));
    addresses.add(group.self().address());
    groups.add(group);
    replicas.add(
        ReplicatedCollections.open(
            group,
            CollectionsOptions.defaults().withWriteTimeout(Duration.ofSeconds(10), Duration.ZERO)));
  }

  @AfterEach
  void close() {
    replicas.forEach(ReplicatedCollections::close);
    groups.forEach(Group::close);
  }

  @Test
  void aProcessWhoseNameALaterOneBearsRefusesUpdatesAndSaysWhy() {
    ReplicatedMap<String, String> map = replicas.get(2).map("map", ALL);
    map.put("k", "v");
    openReplica("m2");
    await("the older of the two is told", () -> groups.get(2).exclusion().isPresent());

    assertThatThrownBy(() -> map.put("k", "lost"))
        .isInstanceOf(WriteRefusedException.class)
        .hasMessage(groups.get(2).exclusion().orElseThrow())
        .hasMessageContaining("a later incarnation of the same name");
    assertThat(map).isEqualTo(Map.of("k", "v"));
    assertThat(replicas.get(2).metrics().isExcluded()).isTrue();
    assertThat(replicas.get(3).metrics().isExcluded()).isFalse();
    await("the later one takes part", () -> groups.get(3).view().members().size() == 3);
  }

  private static void await(String what, BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).as(what).isTrue();
  }

  @Test
  void whatAllAcknowledgedCanBeReadEverywhereAtOnce() {
    List<ReplicatedMap<String, String>> maps =
        replicas.stream().map(replica -> replica.map("map", ALL)).toList();
    for (int i = 0; i < 500; i++) {
      maps.get(i % 3).put("k" + i % 50, "v" + i);
      for (ReplicatedMap<String, String> map : maps) {
        assertThat(map.get("k" + i % 50)).isEqualTo("v" + i);
      }
    }
  }

  @Test
  void manyThreadsWriteAndLoseNothing() throws InterruptedException {
    List<ReplicatedMap<String, String>> maps =
        replicas.stream().map(replica -> replica.map("map", ALL)).toList();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 30; t++) {
      int thread = t;
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < 50; i++) {
              maps.get(thread % 3).put("t" + thread + "-" + i, "x".repeat(200));
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    for (ReplicatedMap<String, String> map : maps) {
      assertThat(map).hasSize(1_500);
    }
  }

  @Test
  void largeValuesAndNewMembersUseConnections() {
    var map = replicas.get(0).map("map", ALL);
    for (int i = 0; i < 30; i++) {
      map.put("k" + i, "y".repeat(100_000));
    }
    openReplica("m3");
    var fresh = replicas.get(3).map("map", ALL);
    await("the new member has everything", () -> fresh.size() == 30);

    assertThat(Map.copyOf(fresh)).isEqualTo(Map.copyOf(map));
  }

  @Test
  void tooFewReplicasFailTheCallInTimeAndKeepTheUpdate() {
    var map = replicas.get(0).map("map", ALL.withLevel(WriteLevel.replicas(3)));
    groups.get(1).close();
    groups.get(2).close();
    await("one member", () -> groups.get(0).view().members().size() == 1);

    Acknowledgement write = map.putAsync("k", "v");
    assertThat(write.await(50_000_000, 0)).isFalse();
    assertThat(map.get("k")).isEqualTo("v");
    assertThatThrownBy(() -> WriteLevel.replicas(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anElementWhoseRemovalNobodyConfirmsIsTheCallersAllTheSame() {
    GroupOptions options = GroupOptions.of("alone", "only", Discovery.none());
    CollectionsOptions hasty =
        CollectionsOptions.defaults().withWriteTimeout(Duration.ofMillis(50), Duration.ZERO);
    try (Group group = Groups.open(options);
        ReplicatedCollections collections = ReplicatedCollections.open(group, hasty)) {
      ReplicatedQueue<String> queue =
          collections.queue("queue", new SetOptions<>(Codecs.string(), WriteLevel.allOf(2)));
      assertThatThrownBy(() -> queue.add("e")).isInstanceOf(UnacknowledgedWriteException.class);

      assertThat(queue.poll()).isEqualTo("e");
      assertThat(queue.poll()).isNull();
    }
  }
}
