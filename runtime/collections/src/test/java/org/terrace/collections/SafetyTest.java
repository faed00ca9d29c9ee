package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Codecs;

/** The safety of users from what others do wrong, too large or at the same time. */
class SafetyTest {
  private static final MapOptions<String, String> LOCAL =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);

  @Test
  void aListenerThatThrowsMakesNoReplicaDiffer() {
    Replicas replicas = new Replicas(2);
    var a = replicas.get(0).map("map", LOCAL);
    var b = replicas.get(1).map("map", LOCAL);
    int[] heard = new int[1];
    Runnable end =
        a.addListener(
            Runnable::run,
            change -> {
              if (heard[0]++ == 0) {
                throw new AssertionError("a listener's error, on purpose");
              }
            });
    a.put("k1", "v1");
    a.put("k2", "v2");
    b.put("k3", "v3");
    replicas.converge();

    assertThat(a).isEqualTo(b).hasSize(3);
    assertThat(heard[0]).isEqualTo(3);
    assertThat(replicas.get(0).metrics().changesDropped()).isEqualTo(1);
    end.run();
    a.put("k4", "v4");
    assertThat(heard[0]).isEqualTo(3);
  }

  @Test
  void aListenerOfRepairsThatThrowsKeepsNoRepairFromItsEnd() {
    Replicas replicas = new Replicas(3);
    List<Reconciliation> heard = new ArrayList<>();
    for (ReplicatedCollections each : replicas.all) {
      each.onReconciliation(reconciliation -> {
        heard.add(reconciliation);
        throw new AssertionError("a listener's error, on purpose");
      });
    }
    var a = replicas.get(0).map("map", LOCAL);
    var b = replicas.get(1).map("map", LOCAL);
    replicas.simulation.partition(Set.of("a"));
    replicas.simulation.runFor(20_000_000_000L);
    a.put("k1", "v1");
    b.put("k2", "v2");
    replicas.simulation.runFor(5_000_000_000L);
    replicas.simulation.heal();
    replicas.converge();

    assertThat(heard).isNotEmpty();
    assertThat(a).isEqualTo(b).hasSize(2);
    var everywhere = a.withLevel(WriteLevel.ALL).putAsync("k3", "v3");
    replicas.simulation.runFor(5_000_000_000L);
    assertThat(everywhere.isAcknowledged()).isTrue();
  }

  @Test
  void aValueThatIsTooLargeIsRefusedAndNothingElseIsHeldUp() {
    Replicas replicas = new Replicas(2);
    var options = MapOptions.of(Codecs.string(), Codecs.bytes()).withLevel(WriteLevel.LOCAL);
    var a = replicas.get(0).map("map", options);
    var b = replicas.get(1).map("map", options);

    assertThatThrownBy(() -> a.put("large", new byte[9 << 20]))
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContaining("'map'");
    assertThat(a).isEmpty();
    var later = a.withLevel(WriteLevel.ALL).putAsync("k", new byte[1_000_000]);
    replicas.converge();
    replicas.simulation.runFor(1_000_000_000L);
    assertThat(later.isAcknowledged()).isTrue();
    assertThat(b).containsOnlyKeys("k");
  }

  @Test
  void valuesAreComparedByTheirBytes() {
    Replicas replicas = new Replicas(1);
    var map =
        replicas
            .get(0)
            .map("map", MapOptions.of(Codecs.string(), Codecs.bytes()).withLevel(WriteLevel.LOCAL));
    map.put("k", new byte[] {1});

    byte[] merged =
        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () ->
                map.merge(
                    "k",
                    new byte[] {2},
                    (one, two) -> {
                      byte[] both = Arrays.copyOf(one, 2);
                      both[1] = two[0];
                      return both;
                    }));
    assertThat(merged).containsExactly(1, 2);
    assertThat(map.replace("k", new byte[] {1, 2}, new byte[] {3})).isTrue();
    assertThat(map.remove("k", new byte[] {3})).isTrue();
    assertThat(map).isEmpty();
  }

  @Test
  void aRequestThatChangesMoreThanOneMessageHoldsIsRefusedAndLeavesNothing() throws Exception {
    Replicas replicas = new Replicas(2);
    var map = replicas.get(0).map("map", LOCAL);
    var counters =
        replicas
            .get(0)
            .counters("counters", SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL));
    String name = "k".repeat(150);
    for (int i = 0; i < 60_000; i++) {
      map.put(name + i, "");
    }
    replicas.converge();
    var requests = RequestDeduplication.open(replicas.get(0), "service", WriteLevel.LOCAL);
    List<Runnable> tooMuch =
        List.of(
            map::clear,
            () -> map.keySet().forEach(key -> counters.add(key, 1)),
            () -> map.keySet().forEach(key -> map.put(key + "x", "")));
    for (int i = 0; i < tooMuch.size(); i++) {
      Runnable work = tooMuch.get(i);
      RequestIdentity request = new RequestIdentity(1, i + 1);
      assertThatThrownBy(() ->
              requests.execute(
                  request,
                  true,
                  () -> {
                    work.run();
                    return new byte[0];
                  },
                  reply -> true))
          .isInstanceOf(WriteRefusedException.class)
          .hasMessageContaining("one message");
      assertThat(map).hasSize(60_000);
      assertThat(counters.toMap()).isEmpty();
    }
    map.withLevel(WriteLevel.ALL).putAsync("last", "v");
    replicas.converge();

    assertThat(replicas.get(1).map("map", LOCAL)).hasSize(60_001);
  }
}
