package org.terrace.collections.histories;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.terrace.collections.Expiry;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Entries whose puts give each a time of its own, from its creation or its last update on, in a map
 * that has none, while one of three or more wall clocks steps: each lives as long as its last put,
 * or its first one, said, and no longer. Each key is put at one node, so that the order of its puts
 * is known.
 */
public final class LifetimeScenario extends Scenario {
  private static final int KEYS = 6;
  private static final long UNSURE_NANOS = SECOND;

  /** An entry as its last put left it. */
  private record Expected(int number, long endNanos, long lifeNanos) {}

  private final Map<String, ReplicatedMap<String, String>> maps = new HashMap<>();
  private final Map<String, Expected> expected = new HashMap<>();

  LifetimeScenario(long seed, boolean planted) {
    super(seed, planted);
    durationNanos = 6 * SECOND;
  }

  @Override
  int nodes() {
    return 3 + random.nextInt(2);
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
    MapOptions<String, String> options =
        MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);
    maps.put(node.name(), site.collections().map("lifetimes", options));
  }

  @Override
  void begin() {
    WildClock.begin(this, planted);
  }

  @Override
  void call(Site site, String name, int number) {
    String key = name + random.nextInt(KEYS);
    ReplicatedMap<String, String> map = maps.get(name);
    long now = cluster.simulation.nowNanos();
    Expected before = map.containsKey(key) ? expected.get(key) : null;
    long lifeNanos = (2 + random.nextInt(4)) * SECOND;
    Duration life = Duration.ofNanos(lifeNanos);
    Expected after;
    if (random.nextBoolean()) {
      map.withExpiry(Expiry.sinceUpdate(life)).put(key, "v" + number);
      after = new Expected(number, now + lifeNanos, lifeNanos);
    } else {
      map.withExpiry(Expiry.sinceCreation(life)).put(key, "v" + number);
      after =
          before == null
              ? new Expected(number, now + lifeNanos, lifeNanos)
              : new Expected(number, before.endNanos, before.lifeNanos);
    }
    expected.put(key, after);
    Dot dot = lastDot(site);
    long left = after.endNanos - now;
    long sureNanos = left - after.lifeNanos / 10 - UNSURE_NANOS;
    if (sureNanos > 0) {
      cluster.simulation.schedule(sureNanos, () -> checkLives(key, after, dot));
    }
    cluster.simulation.schedule(Math.max(0, left) + UNSURE_NANOS, () -> checkIsOver(key, after));
  }

  private void checkLives(String key, Expected entry, Dot dot) {
    cluster.sites.forEach((name, site) -> {
      if (entry.equals(expected.get(key))
          && site.state().applied().contains(dot.writer(), dot.sequence())) {
        check(maps.get(name).get(key) != null, "{} ended too early at {}", key, name);
      }
    });
  }

  private void checkIsOver(String key, Expected entry) {
    if (entry.equals(expected.get(key))) {
      maps.forEach(
          (name, map) -> check(!map.containsKey(key), "{} lives too long at {}", key, name));
    }
  }

  @Override
  void end() {
    cluster.simulation.runFor(16 * SECOND);
  }

  @Override
  void judge() {
    cluster.sites.forEach((name, site) -> {
      long others =
          site.map().keySet().stream().mapToLong(key -> site.map().values(key).size()).sum();
      long left = site.collections().metrics().entries() - others;
      check(left == 0, "{} entries that are over are left at {}", left, name);
    });
  }
}
