package org.terrace.collections;

import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.Depth;

/**
 * Threads of one process on one map: every operation seems to happen at one moment between its call
 * and its return (Herlihy and Wing, "Linearizability", 1990), as on a {@code ConcurrentHashMap}.
 */
class LocalConcurrencyTest {
  /** The sequential map that the replicated one is compared with. */
  public static class Sequential {
    private final Map<Integer, Integer> map = new HashMap<>();

    public Integer get(int key) {
      return map.get(key);
    }

    public Integer put(int key, int value) {
      return map.put(key, value);
    }

    public Integer remove(int key) {
      return map.remove(key);
    }

    public Integer putIfAbsent(int key, int value) {
      return map.putIfAbsent(key, value);
    }

    public boolean replace(int key, int old, int value) {
      return map.replace(key, old, value);
    }

    public boolean removeValue(int key, int value) {
      return map.remove(key, value);
    }
  }

  /** The operations under test, on a replica that is alone. */
  @Param(name = "key", gen = IntGen.class, conf = "1:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:4")
  public static class Replicated {
    private final ReplicatedMap<Integer, Integer> map =
        new Replicas(1).get(0).map("map", MapOptions.of(Codecs.integers(), Codecs.integers()));

    @Operation
    public Integer get(@Param(name = "key") int key) {
      return map.get(key);
    }

    @Operation
    public Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.put(key, value);
    }

    @Operation
    public Integer remove(@Param(name = "key") int key) {
      return map.remove((Object) key);
    }

    @Operation
    public Integer putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.putIfAbsent(key, value);
    }

    @Operation
    public boolean replace(
        @Param(name = "key") int key,
        @Param(name = "value") int old,
        @Param(name = "value") int value) {
      return map.replace(key, old, value);
    }

    @Operation
    public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.remove((Object) key, (Object) value);
    }
  }

  @Test
  void operationsOfThreadsAreLinearizable() {
    new StressOptions()
        .iterations(Depth.of(20, 3))
        .invocationsPerIteration(100)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .sequentialSpecification(Sequential.class)
        .check(Replicated.class);
  }
}
