package org.terrace.groups.jgroups;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.Group;

/** The collections on three members over JGroups. */
@Tag("real-processes")
@Tag("untimed")
class JGroupsCollectionsTest {
  private static final MapOptions<String, String> ALL =
      MapOptions.of(Codecs.string(), Codecs.string());

  private final JGroupsMembers members = new JGroupsMembers();
  private final List<Group> groups = new ArrayList<>();
  private final List<ReplicatedCollections> replicas = new ArrayList<>();

  @BeforeEach
  void openThree() {
    for (int i = 0; i < 3; i++) {
      openReplica("m" + i);
    }
    JGroupsMembers.awaitSize(groups, 3);
    // A replica is told of a view after the group shows it, and "all" are those that it knows.
    JGroupsMembers.await("replicas that know each other", this::knowEachOther);
  }

  private boolean knowEachOther() {
    return replicas.stream().allMatch(replica -> replica.metrics().replicasKnown() == 3);
  }

  private void openReplica(String name) {
    Group group = members.open(name);
    groups.add(group);
    CollectionsOptions options =
        CollectionsOptions.defaults().withWriteTimeout(Duration.ofSeconds(30), Duration.ZERO);
    replicas.add(ReplicatedCollections.open(group, options));
  }

  @AfterEach
  void close() {
    replicas.forEach(ReplicatedCollections::close);
    groups.forEach(Group::close);
  }

  @Test
  void whatAllAcknowledgedCanBeReadEverywhereAtOnce() {
    List<ReplicatedMap<String, String>> maps =
        replicas.stream().map(replica -> replica.map("map", ALL)).toList();
    for (int i = 0; i < 300; i++) {
      maps.get(i % 3).put("k" + i % 50, "v" + i);
      for (ReplicatedMap<String, String> map : maps) {
        assertThat(map.get("k" + i % 50)).isEqualTo("v" + i);
      }
    }
  }

  @Test
  @Tag("long")
  void manyThreadsWriteAndLoseNothing() throws InterruptedException {
    List<ReplicatedMap<String, String>> maps =
        replicas.stream().map(replica -> replica.map("map", ALL)).toList();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 30; t++) {
      int thread = t;
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < 50; i++) {
              maps.get(thread % 3).put("t" + thread + "-" + i, "x".repeat(2_000));
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
  void aNewMemberGetsEverything() {
    ReplicatedMap<String, String> map = replicas.getFirst().map("map", ALL);
    for (int i = 0; i < 30; i++) {
      map.put("k" + i, "y".repeat(100_000));
    }
    openReplica("m3");
    ReplicatedMap<String, String> fresh = replicas.getLast().map("map", ALL);
    JGroupsMembers.await("the new member has everything", () -> fresh.size() == 30);

    assertThat(Map.copyOf(fresh)).isEqualTo(Map.copyOf(map));
  }
}
