package org.terrace.collections.histories;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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
 * Entries with a time to live, and one of three or more wall clocks that steps by up to an hour:
 * each entry lives as long as it should everywhere, and no longer.
 */
public final class ExpiryScenario extends Scenario {
  private static final long LIVES_NANOS = 4 * SECOND;

  /** The time that the honest clocks, the steps and the network make uncertain. */
  private static final long UNSURE_NANOS = SECOND;

  /** The agreed time may go a tenth faster than a clock. */
  private static final long LIVES_AT_LEAST_NANOS = LIVES_NANOS * 9 / 10 - UNSURE_NANOS;

  private final Map<String, ReplicatedMap<String, String>> maps = new HashMap<>();

  ExpiryScenario(long seed, boolean planted) {
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
        MapOptions.of(Codecs.string(), Codecs.string())
            .withLevel(WriteLevel.LOCAL)
            .withTimeToLive(Duration.ofNanos(LIVES_NANOS));
    maps.put(node.name(), site.collections().map("expiring", options));
  }

  @Override
  void begin() {
    WildClock.begin(this, planted);
  }

  @Override
  void call(Site site, String name, int number) {
    String key = "t" + number;
    maps.get(name).putAsync(key, "v");
    Dot dot = lastDot(site);
    cluster.simulation.schedule(LIVES_AT_LEAST_NANOS, () -> checkLives(key, dot));
    cluster.simulation.schedule(LIVES_NANOS + UNSURE_NANOS, () -> checkIsOver(key));
  }

  private void checkLives(String key, Dot dot) {
    cluster.sites.forEach((name, site) -> {
      if (site.state().applied().contains(dot.writer(), dot.sequence())) {
        check(maps.get(name).get(key) != null, "{} ended too early at {}", key, name);
      }
    });
  }

  private void checkIsOver(String key) {
    maps.forEach((name, map) -> check(map.get(key) == null, "{} lives too long at {}", key, name));
  }

  /** Longer than all live, and than it takes until the last member removes what is over. */
  @Override
  void end() {
    cluster.simulation.runFor(LIVES_NANOS + 8 * SECOND);
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
