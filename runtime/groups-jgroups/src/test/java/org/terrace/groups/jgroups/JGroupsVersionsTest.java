package org.terrace.groups.jgroups;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.Group;

/** Members of two versions of the protocol in one group over JGroups. */
@Tag("real-processes")
@Tag("untimed")
class JGroupsVersionsTest {
  private static final MapOptions<String, String> ALL =
      MapOptions.of(Codecs.string(), Codecs.string());

  @Test
  void anOldAndTwoNewMembersAreOneGroupThatRisesWhenTheOldOneLeaves() {
    JGroupsMembers members = new JGroupsMembers();
    CollectionsOptions options =
        CollectionsOptions.defaults().withWriteTimeout(Duration.ofSeconds(30), Duration.ZERO);
    try (Group one = members.open("one");
        ReplicatedCollections ofOne = ReplicatedCollections.open(one, options);
        Group two = members.open("two");
        ReplicatedCollections ofTwo = ReplicatedCollections.open(two, options)) {
      ReplicatedMap<String, String> map = ofOne.map("map", ALL);
      ReplicatedMap<String, String> ofAnother = ofTwo.map("map", ALL);
      try (Group old = members.open("old", 3);
          ReplicatedCollections ofOld = ReplicatedCollections.open(old, options)) {
        JGroupsMembers.awaitSize(List.of(one, two, old), 3);
        JGroupsMembers.await(
            "replicas that know each other",
            () ->
                List.of(ofOne, ofTwo, ofOld).stream()
                    .allMatch(replica -> replica.metrics().replicasKnown() == 3));
        JGroupsMembers.await("all are greeted", () -> one.protocol().with(two.self()) == 4);
        assertThat(one.protocol().toAll()).isEqualTo(3);
        assertThat(one.protocol().with(old.self())).isEqualTo(3);
        ReplicatedMap<String, String> theirs = ofOld.map("map", ALL);
        map.put("of a new one", "1");
        theirs.put("of the old one", "2");
        assertThat(Map.copyOf(map))
            .isEqualTo(Map.of("of a new one", "1", "of the old one", "2"))
            .isEqualTo(Map.copyOf(theirs));
        assertThat(ofOld.metrics().incompatibleMessages()).isLessThan(3);
      }
      JGroupsMembers.await(
          "both speak version 4", () -> one.protocol().toAll() == 4 && two.protocol().toAll() == 4);
      map.put("later", "3");
      assertThat(Map.copyOf(ofAnother)).hasSize(3).isEqualTo(Map.copyOf(map));
    }
  }

  @Test
  void aHelloOfVersion3IsTheSameWithMoreBehindIt() {
    JGroupsMembers members = new JGroupsMembers();
    try (JGroupsGroup group = members.open("a")) {
      Hello old = new Hello(group.self(), Hello.UNTOLD, 7, true);
      Hello fresh = new Hello(group.self(), group.protocol().own(), 7, true);
      ByteBuffer longer = fresh.encode();

      assertThat(Hello.decode(old.encode())).isEqualTo(old);
      assertThat(Hello.decode(fresh.encode())).isEqualTo(fresh);
      assertThat(longer.slice(0, longer.remaining() - 2)).isEqualTo(old.encode());
    }
  }
}
