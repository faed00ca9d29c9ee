package org.terrace.collections.histories;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.terrace.collections.Expiry;
import org.terrace.collections.HandleInternals;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Entries that live as long as any member uses them, over a network that loses messages, with one
 * wild clock of three or more and, in half of the histories, times of their own: what is read
 * anywhere lives on everywhere, what nobody reads ends, and what is removed or put beside a read
 * stays so.
 */
public final class IdleScenario extends Scenario {
  private static final int KEYS = 6;
  private static final long IDLE_NANOS = 4 * SECOND;
  private static final long UNSURE_NANOS = SECOND;

  /** The agreed time may go a tenth faster than a clock. */
  private static final long LIVES_AT_LEAST_NANOS = IDLE_NANOS * 9 / 10 - UNSURE_NANOS;

  private static final long LIVES_AT_MOST_NANOS = IDLE_NANOS * 5 / 4 + UNSURE_NANOS;

  private static final MapOptions<String, String> OPTIONS =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);

  private final Map<String, ReplicatedMap<String, String>> maps = new HashMap<>();
  private final Map<String, ReplicatedMap<String, String>> readers = new HashMap<>();

  /** The time of each key's last use, by which it lives. */
  private final Map<String, Long> used = new HashMap<>();

  private final Set<String> removed = new HashSet<>();
  private final boolean ofTheirOwn;

  IdleScenario(long seed, boolean planted) {
    super(seed, planted);
    durationNanos = 20 * SECOND;
    ofTheirOwn = random.nextBoolean();
  }

  @Override
  int nodes() {
    return 3 + random.nextInt(2);
  }

  @Override
  int plainOneIn() {
    return 10;
  }

  @Override
  SimulationOptions network() {
    return new SimulationOptions(
        random.nextDouble(0.2), random.nextDouble(0.2), 0, MILLI / 20, 5 * MILLI, 100 * MILLI);
  }

  @Override
  FaultPlan faults() {
    return FaultPlan.none();
  }

  @Override
  public void started(SimulatedNode node, Site site) {
    Expiry expiry = Expiry.sinceUse(Duration.ofNanos(IDLE_NANOS));
    ReplicatedMap<String, String> map =
        site.collections().map("idle", ofTheirOwn ? OPTIONS : OPTIONS.withExpiry(expiry));
    maps.put(node.name(), ofTheirOwn ? map.withExpiry(expiry) : map);
  }

  @Override
  void begin() {
    WildClock.begin(this, false);
    readers.putAll(maps);
    if (planted) {
      readers.put(
          "a", HandleInternals.withoutUses(cluster.site("a").replica(), maps.get("a"), OPTIONS));
    }
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      maps.get("a").put(key, "v");
      noteUse(key);
    }
  }

  private void noteUse(String key) {
    long now = cluster.simulation.nowNanos();
    used.put(key, now);
    cluster.simulation.schedule(LIVES_AT_LEAST_NANOS, () -> checkLives(key, now));
    cluster.simulation.schedule(LIVES_AT_MOST_NANOS, () -> checkIsOver(key, now));
  }

  @Override
  void call(Site site, String name, int number) {
    String key = "k" + random.nextInt(KEYS);
    if (random.nextInt(20) == 0) {
      // A member that has not heard of an entry cannot remove it.
      if (maps.get(name).remove(key) != null) {
        removed.add(key);
      }
    } else if (readers.get(name).get(key) != null && !removed.contains(key)) {
      noteUse(key);
    }
  }

  private void checkLives(String key, long sinceNanos) {
    if (removed.contains(key)) {
      return;
    }
    maps.forEach((name, map) ->
        check(
            map.containsKey(key),
            "{}, which was used at {}, ended too early at {}",
            key,
            sinceNanos,
            name));
  }

  private void checkIsOver(String key, long sinceNanos) {
    if (used.get(key) == sinceNanos) {
      maps.forEach((name, map) ->
          check(
              !map.containsKey(key),
              "{}, which was last used at {}, lives too long at {}",
              key,
              sinceNanos,
              name));
    }
  }

  @Override
  void end() {
    cluster.simulation.runFor(IDLE_NANOS + 12 * SECOND);
  }

  @Override
  void judge() {
    cluster.sites.forEach((name, site) -> {
      long others =
          site.map().keySet().stream().mapToLong(key -> site.map().values(key).size()).sum();
      long left = site.collections().metrics().entries() - others;
      check(left == 0, "{} entries that are over, or their uses, are left at {}", left, name);
    });
  }
}
