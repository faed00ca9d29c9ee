package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;

/** Lives at their very ends, and uses that are too many or too large. */
class LifetimeLimitsTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final int WRITES_WAITING_MAX = 1 << 17;
  private static final Duration FOUR_SECONDS = Duration.ofSeconds(4);
  private static final Duration HOUR = Duration.ofHours(1);
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

  /** A value that takes its time to be compared. */
  private static final class Slow {
    private final String text;
    private Runnable whenCompared = () -> {};

    Slow(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      whenCompared.run();
      return other instanceof Slow slow && slow.text.equals(text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  @Test
  void anEntryThatEndsInTheMiddleOfItsUpdateLivesOnNoLonger() {
    Codec<Slow> codec =
        Codecs.immutable((value, out) -> out.putString(value.text), in -> new Slow(in.getString()));
    ReplicatedMap<String, Slow> map =
        replicas
            .get(0)
            .map(
                "slow",
                MapOptions.of(Codecs.string(), codec)
                    .withLevel(WriteLevel.LOCAL)
                    .withExpiry(Expiry.sinceCreation(FOUR_SECONDS)));
    Slow first = new Slow("1");
    map.put("k", first);
    pass(3.9);
    first.whenCompared = () -> pass(0.2);

    assertThat(map.replace("k", new Slow("1"), new Slow("2"))).as("it was there").isTrue();
    assertThat(map.get("k")).as("its life was counted from its creation").isNull();
  }

  @Test
  void aKeyWithoutRoomForAUseHoldsUpNoOtherUses() {
    var maps = open(PLAIN.withExpiry(Expiry.sinceUse(FOUR_SECONDS)));
    String large = "k".repeat(LocalWrites.UPDATE_BYTES_MAX - 40);
    maps.get(0).put(large, "v");
    for (int i = 0; i < 20; i++) {
      maps.get(0).put("k" + i, "v");
    }
    for (int second = 0; second < 8; second++) {
      pass(1);
      maps.get(0).get(large);
      for (int i = 0; i < 20; i++) {
        assertThat(maps.get(0).get("k" + i)).as("key %d, second %d", i, second).isEqualTo("v");
      }
    }

    assertThat(maps.get(1)).hasSize(20);
  }

  @Test
  void aKeyWithoutRoomForAUseIsRefusedWhereItsPutNeedsOne() {
    var maps = open(PLAIN);
    String large = "k".repeat(LocalWrites.UPDATE_BYTES_MAX - 40);
    ReplicatedMap<String, String> own = maps.get(0).withExpiry(Expiry.sinceUse(FOUR_SECONDS));

    assertThatThrownBy(() -> own.put(large, "v"))
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContaining("'m'");
    assertThat(maps.get(0)).as("what is refused is not stored").isEmpty();
  }

  @Test
  void aPutThatIsStoredIsNotToldToBeRefused() {
    var map = replicas.get(0).map("m", PLAIN).withLevel(WriteLevel.allOf(2));
    map.withLevel(WriteLevel.LOCAL).put("k", "1");
    map.touch("k", HOUR);
    replicas.converge();
    replicas.simulation.partition(Set.of("a"));
    for (int i = 0; i < WRITES_WAITING_MAX - 1; i++) {
      map.putAsync("other", "v");
    }

    map.putAsync("k", "2"); // the last for which there is room: its use is left over
    assertThat(map.get("k")).isEqualTo("2");
    assertThatThrownBy(() -> map.putAsync("k", "3")).isInstanceOf(WriteRefusedException.class);
    assertThat(map.get("k")).isEqualTo("2");
    replicas.simulation.heal();
    pass(10);
    assertThat(map.get("k")).isEqualTo("2");
  }

  @Test
  void timesThatAreNotedOfOneEntryDoNotAddUp() {
    ReplicatedCollections collections = replicas.get(0);
    Store<String, String> store =
        collections.state().open("s", Codecs.string(), Codecs.string(), new ConcurrentHashMap<>());
    LocalWrites writes = collections.replica().writes();
    Dot dot = new Dot(writes.writer(), writes.nextSequence());
    long farMillis = writes.nowMillis() + HOUR.toMillis();
    Housekeeper<String, String> housekeeper =
        collections
            .replica()
            .within(() -> {
              writes.put(store, "k", "v", farMillis, List.of(), WriteLevel.LOCAL);
              return Housekeeper.employ(
                  collections.replica(), store, 0, (key, version) -> version.deadlineMillis);
            });
    for (int i = 0; i < 100_000; i++) {
      housekeeper.note("k", dot, farMillis - i % 1_000);
    }

    assertThat(housekeeper.due).hasSizeLessThan(2_000);
    housekeeper.note("k", dot, 0);
    for (int i = 0; i < 2_000; i++) {
      housekeeper.note("k", dot, farMillis);
    }
    assertThat(housekeeper.due.peek()).as("the earliest stays").extracting("millis").isEqualTo(0L);
  }

  @Test
  void aTouchOfAnEntryThatEndsByIdlenessSaysWhenItEndsHoweverItIsUsed() {
    var maps = open(IDLE);
    maps.get(0).put("k", "1");
    maps.get(0).put("long", "2");
    maps.get(0).touch("k", FOUR_SECONDS); // for so long it lives already
    maps.get(0).touch("long", Duration.ofSeconds(8));
    Map<String, Double> lived = new HashMap<>();
    for (int i = 1; i < 40; i++) {
      pass(0.5);
      for (String key : List.of("k", "long")) {
        if (maps.get(i % 2).get(key) != null) {
          lived.put(key, i * 0.5);
        }
      }
    }

    assertThat(lived.get("k")).isBetween(3.9, 5.1);
    assertThat(lived.get("long")).isBetween(7.9, 10.1);
  }

  @Test
  void aPutAfterATouchEndsByIdlenessAgain() {
    var maps = open(IDLE);
    maps.get(0).put("k", "1");
    maps.get(0).touch("k", HOUR);
    replicas.converge();
    maps.get(1).put("k", "2");
    pass(6);

    assertThat(maps.get(0)).isEmpty();
    assertThat(maps.get(1)).isEmpty();
  }

  @Test
  void aTouchShowsNothingThatIsOver() {
    var maps = open(PLAIN);
    replicas.simulation.partition(Set.of("a"));
    maps.get(0).withExpiry(Expiry.sinceUpdate(Duration.ofMillis(4_050))).put("k", "short");
    maps.get(1).put("k", "kept");
    replicas.simulation.heal();
    replicas.converge();
    assertThat(maps.get(1).values("k")).containsExactlyInAnyOrder("short", "kept");
    while (maps.get(1).values("k").size() > 1) {
      pass(0.001);
    }
    assertThat(replicas.get(1).metrics().entries()).as("over, and not removed yet").isEqualTo(2);

    assertThat(maps.get(1).touch("k", HOUR)).isTrue();
    assertThat(maps.get(1).values("k")).containsExactly("kept");
    pass(5);
    assertThat(maps.get(0).values("k")).containsExactly("kept");
  }
}
