package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;

class LifetimesTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final Duration FOUR_SECONDS = Duration.ofSeconds(4);
  private static final MapOptions<String, String> PLAIN =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final MapOptions<String, String> IDLE =
      PLAIN.withExpiry(Expiry.sinceUse(FOUR_SECONDS));

  private final Replicas replicas = new Replicas(2);

  private List<ReplicatedMap<String, String>> open(MapOptions<String, String> options) {
    return List.of(replicas.get(0).map("m", options), replicas.get(1).map("m", options));
  }

  private void pass(double seconds) {
    replicas.simulation.runFor((long) (seconds * SECOND));
  }

  private long entries() {
    return replicas.get(0).metrics().entries() + replicas.get(1).metrics().entries();
  }

  @Test
  void anEntryHasATimeOfItsOwn() {
    var maps = open(PLAIN);
    maps.get(0).put("kept", "1");
    maps.get(0).withExpiry(Expiry.sinceUpdate(FOUR_SECONDS)).put("short", "2");
    pass(3);

    assertThat(maps.get(1)).containsOnlyKeys("kept", "short").hasSize(2);
    pass(2);
    assertThat(maps.get(0)).containsOnlyKeys("kept").hasSize(1);
    assertThat(maps.get(1)).containsOnlyKeys("kept").hasSize(1);
    pass(8);
    assertThat(entries()).as("removed, not only hidden").isEqualTo(2);
  }

  @Test
  void anUpdateProlongsNoLifeThatIsCountedFromTheCreation() {
    var maps = open(PLAIN.withExpiry(Expiry.sinceCreation(FOUR_SECONDS)));
    maps.get(0).put("k", "1");
    pass(3);
    maps.get(1).put("k", "2");
    pass(0.9);

    assertThat(maps.get(0).get("k")).isEqualTo("2");
    pass(0.3);
    assertThat(maps.get(0)).isEmpty();
    assertThat(maps.get(1)).isEmpty();
    maps.get(1).put("k", "3");
    pass(3);
    assertThat(maps.get(0)).containsEntry("k", "3");
  }

  @Test
  void usesAtOneReplicaKeepAnEntryEverywhereWithFewMessages() {
    var maps = open(IDLE);
    maps.get(0).put("used", "1");
    maps.get(0).put("idle", "2");
    replicas.converge();
    long before = written(1);
    for (int i = 0; i < 400; i++) {
      assertThat(maps.get(1).get("used")).isEqualTo("1");
      pass(0.1);
    }

    assertThat(maps.get(0).containsKey("used")).isTrue();
    assertThat(maps.get(0).containsKey("idle")).isFalse();
    assertThat(written(1) - before).as("one use a second, and a removal").isBetween(30L, 45L);
    pass(5.5);
    assertThat(maps.get(0)).isEmpty();
    assertThat(maps.get(1)).isEmpty();
    pass(8);
    assertThat(entries()).as("neither entries nor uses are left").isZero();
  }

  private long written(int replica) {
    return replicas.get(replica).replica().writes().nextSequence();
  }

  @Test
  void anEntryLivesAtLeastItsTimeAfterAUseAndAQuarterMoreAtMost() {
    var maps = open(IDLE);
    maps.get(0).put("k", "1");
    pass(0.9);
    assertThat(maps.get(1).get("k")).isEqualTo("1"); // the put counts for that much
    pass(3.9);
    assertThat(maps.get(0).get("k")).isEqualTo("1");
    pass(5.2);
    assertThat(maps.get(0).get("k")).isNull();
    assertThat(maps.get(1).get("k")).isNull();
  }

  @Test
  void toAskWhetherItIsThereIsNoUse() {
    var maps = open(IDLE);
    maps.get(0).put("k", "1");
    boolean wasThere = false;
    for (int i = 0; i < 52; i++) {
      pass(0.1);
      wasThere |= maps.get(1).containsKey("k");
      maps.get(1).forEach((key, value) -> {});
    }

    assertThat(wasThere).isTrue();
    assertThat(maps.get(1).containsKey("k")).isFalse();
  }

  @Test
  void anEntryHasAnIdleTimeOfItsOwnAndALimit() {
    var maps = open(PLAIN);
    Expiry expiry = Expiry.sinceCreation(Duration.ofSeconds(8)).orSinceUse(Duration.ofSeconds(2));
    maps.get(0).withExpiry(expiry).put("used", "1");
    maps.get(0).withExpiry(expiry).put("idle", "2");
    maps.get(0).put("kept", "3");
    for (int i = 0; i < 15; i++) {
      pass(0.5);
      assertThat(maps.get(1).get("used")).as("after %d halves of a second", i).isEqualTo("1");
    }

    assertThat(maps.get(0)).containsOnlyKeys("used", "kept");
    pass(1);
    assertThat(maps.get(0)).as("however much it is used").containsOnlyKeys("kept");
    pass(10);
    assertThat(entries()).isEqualTo(2);
  }

  @Test
  void whatIsPutOrRemovedBesideAUseIsNotTouchedByIt() {
    var maps = open(IDLE);
    maps.get(0).put("put", "old");
    maps.get(0).put("removed", "old");
    pass(2);
    maps.get(0).get("put");
    maps.get(0).get("removed");
    maps.get(1).put("put", "new");
    maps.get(1).remove("removed");
    pass(0.5);

    assertThat(maps.get(0).values("put")).containsExactly("new");
    assertThat(maps.get(0)).containsOnlyKeys("put");
    assertThat(maps.get(1)).containsOnlyKeys("put");
  }

  @Test
  void anEntryIsGivenAnotherTime() {
    var maps = open(PLAIN);
    maps.get(0).put("k", "1");
    replicas.converge();

    assertThat(maps.get(1).touch("k", FOUR_SECONDS)).isTrue();
    assertThat(maps.get(1).touch("absent", FOUR_SECONDS)).isFalse();
    long before = written(1);
    maps.get(1).touch("k", FOUR_SECONDS);
    assertThat(written(1)).as("it lives as long already").isEqualTo(before);
    pass(3.9);
    assertThat(maps.get(0).get("k")).isEqualTo("1");
    maps.get(0).touch("k", Duration.ZERO);
    pass(30);
    assertThat(maps.get(1).get("k")).isEqualTo("1");
    maps.get(1).touch("k", Duration.ofSeconds(1));
    pass(1.5);
    assertThat(maps.get(0)).isEmpty();
    assertThat(maps.get(1)).isEmpty();
  }

  @Test
  void aShortCutEndsNothingThatIsUsedOnOneSide() {
    var maps = open(IDLE);
    maps.get(0).put("k", "1");
    pass(0.5);
    replicas.simulation.partition(Set.of("a"));
    useAtTheSecond(maps.get(1), 3);
    replicas.simulation.heal();
    useAtTheSecond(maps.get(1), 6);

    assertThat(maps.get(0).containsKey("k")).isTrue();
  }

  /** The limit of the promise: who hears of no use takes the entry for idle. */
  @Test
  void aCutLongerThanTheIdleTimeEndsWhatOneSideUses() {
    var maps = open(IDLE);
    maps.get(0).put("k", "1");
    pass(0.5);
    replicas.simulation.partition(Set.of("a"));
    useAtTheSecond(maps.get(1), 9);
    assertThat(maps.get(0).containsKey("k")).isFalse();
    replicas.simulation.heal();
    pass(5);

    assertThat(maps.get(1).containsKey("k")).as("the same everywhere").isFalse();
    maps.get(1).put("k", "2");
    pass(1);
    assertThat(maps.get(0)).containsEntry("k", "2");
  }

  private void useAtTheSecond(ReplicatedMap<String, String> map, int seconds) {
    for (int i = 0; i < seconds; i++) {
      assertThat(map.get("k")).isEqualTo("1");
      pass(1);
    }
  }

  @Test
  void whoJoinsOrOpensTheMapLaterKnowsHowLongEntriesLive() {
    ReplicatedMap<String, String> first = replicas.get(0).map("m", PLAIN);
    first.withExpiry(Expiry.sinceUse(FOUR_SECONDS)).put("idle", "1");
    first.put("touched", "2");
    first.touch("touched", Duration.ofSeconds(60));
    for (int i = 0; i < 10; i++) {
      pass(1);
      first.get("idle");
    }
    ReplicatedMap<String, String> second = replicas.get(1).map("m", PLAIN);

    assertThat(second).containsOnlyKeys("idle", "touched");
    for (int i = 0; i < 10; i++) {
      pass(1);
      second.get("idle");
    }
    assertThat(first).containsOnlyKeys("idle", "touched");
    pass(70);
    assertThat(second).isEmpty();
  }

  @Test
  void aListenerIsToldOfNoUseAndOfTheEnd() {
    var maps = open(IDLE);
    List<ChangeCause> told = new ArrayList<>();
    Runnable end = maps.get(1).addListener(Runnable::run, change -> told.add(change.cause()));
    maps.get(1).put("k", "1");
    pass(2);
    maps.get(1).get("k");
    pass(10);

    assertThat(told).hasSize(2).first().isEqualTo(ChangeCause.LOCAL);
    end.run();
    maps.get(1).put("k", "2");
    assertThat(told).hasSize(2);
  }

  @Test
  void aRequestGivesNoEntryAnIdleTimeOfItsOwn() throws Exception {
    var maps = open(IDLE);
    ReplicatedCollections collections = replicas.get(0);
    var deduplication = RequestDeduplication.open(collections, "service", WriteLevel.LOCAL);
    RequestEffects request = new RequestEffects(collections.replica().writes(), deduplication);
    ReplicatedMap<String, String> own = maps.get(0).withExpiry(Expiry.sinceUse(Duration.ofDays(1)));

    assertThatThrownBy(() -> request.collect(() -> own.put("own", "1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("let the map's options have it");
    assertThat(maps.get(0)).isEmpty();
    request.collect(() -> maps.get(0).put("usual", "1"));
    assertThat(maps.get(0)).as("as the request sees it").containsOnlyKeys("usual");
  }

  @Test
  void aTimeThatIsNoneIsRefused() {
    assertThatThrownBy(() -> Expiry.sinceUse(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sinceUse is 0 to");
    assertThatThrownBy(() -> Expiry.sinceUpdate(Duration.ofNanos(1)))
        .hasMessageContaining("1 ms or more");
    assertThatThrownBy(() -> Expiry.sinceCreation(Duration.ofDays(40_000)))
        .hasMessageContaining("36500 days");
  }
}
