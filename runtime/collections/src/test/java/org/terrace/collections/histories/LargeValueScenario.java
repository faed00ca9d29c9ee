package org.terrace.collections.histories;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.SimulatedNode;

/**
 * Values from a byte to what a message of the group can carry, larger than the messages of repair,
 * and some that are refused: all others arrive as they were.
 */
public final class LargeValueScenario extends Scenario {
  private static final int USUAL_BYTES_MAX = 40_000;
  private static final int LARGE_ONE_IN = 40;

  private record Put(String key, byte fill, int bytes) {
    byte[] value() {
      byte[] value = new byte[bytes];
      Arrays.fill(value, fill);
      return value;
    }
  }

  private final Map<String, ReplicatedMap<String, byte[]>> maps = new HashMap<>();
  private final Map<Dot, Put> puts = new LinkedHashMap<>();

  LargeValueScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  /** Takes note of some large updates without applying them. */
  private static final class DroppedLarge extends WatchedState {
    DroppedLarge(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public boolean apply(
        long writer, long sequence, byte[] bytes, HybridClock clock, ChangeCause cause) {
      if (bytes.length > USUAL_BYTES_MAX / 2 && !applied().contains(writer, sequence)) {
        applied().add(writer, sequence);
        return true;
      }
      return super.apply(writer, sequence, bytes, clock, cause);
    }
  }

  @Override
  LongFunction<ReplicaState> plantedState() {
    return DroppedLarge::new;
  }

  @Override
  public void started(SimulatedNode node, Site site) {
    maps.put(
        node.name(),
        site.collections()
            .map(
                "large",
                MapOptions.of(Codecs.string(), Codecs.bytes()).withLevel(WriteLevel.LOCAL)));
  }

  @Override
  void call(Site site, String name, int number) {
    int bytes = random.nextInt(1 + random.nextInt(USUAL_BYTES_MAX));
    if (random.nextInt(LARGE_ONE_IN) == 0) {
      bytes = LocalWrites.UPDATE_BYTES_MAX + random.nextInt(-2_000, 1_000);
    }
    Put put = new Put("l" + number, (byte) number, bytes);
    Dot before = lastDot(site);
    try {
      maps.get(name).putAsync(put.key, put.value());
      puts.put(lastDot(site), put);
    } catch (WriteRefusedException e) {
      check(bytes > LocalWrites.UPDATE_BYTES_MAX - 1_000, "{} bytes were refused", bytes);
      check(lastDot(site).equals(before), "an update was made though it was refused: {}", put);
      check(!maps.get(name).containsKey(put.key), "what was refused is there: {}", put);
    }
  }

  @Override
  void judge() {
    if (!isExact(puts.keySet())) {
      return;
    }
    maps.forEach((name, map) ->
        puts.forEach((dot, put) -> {
          byte[] there = map.get(put.key);
          boolean holds =
              cluster.isApplied(dot) ? Arrays.equals(there, put.value()) : there == null;
          check(holds, "{} has of {} {}", name, put, there == null ? "nothing" : there.length);
        }));
  }
}
