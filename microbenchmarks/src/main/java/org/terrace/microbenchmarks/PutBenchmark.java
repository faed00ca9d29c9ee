package org.terrace.microbenchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;

/** Time of a put and of a get on one replica that is alone: its update path without a network. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PutBenchmark {
  private static final int KEYS = 1 << 10;

  private final LoneGroup group = new LoneGroup();
  private final ReplicatedCollections collections =
      ReplicatedCollections.open(group, CollectionsOptions.defaults());
  private final ReplicatedMap<Integer, String> map =
      collections.map(
          "benchmark",
          MapOptions.of(Codecs.integers(), Codecs.string()).withLevel(WriteLevel.LOCAL));
  private final String value = "v".repeat(100);
  private int next;

  /** Fills the map, so that every put replaces a value. */
  @Setup
  public void fill() {
    for (int key = 0; key < KEYS; key++) {
      map.put(key, value);
    }
  }

  /** Leaves the group. */
  @TearDown
  public void close() {
    collections.close();
  }

  /** Replaces the value of the next of {@value #KEYS} keys. */
  @Benchmark
  public Object put() {
    Object before = map.put(next(), value);
    if (before == null) {
      throw new IllegalStateException("a key is missing that was put");
    }
    return before;
  }

  /** Gets the value of the next key. */
  @Benchmark
  public Object get() {
    Object found = map.get(next());
    if (found == null) {
      throw new IllegalStateException("a key is missing that was put");
    }
    return found;
  }

  private int next() {
    next = next + 1 & KEYS - 1;
    return next;
  }
}
