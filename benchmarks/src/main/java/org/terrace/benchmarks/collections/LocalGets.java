package org.terrace.benchmarks.collections;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.SharedMap;
import org.terrace.core.TimeSource;

/**
 * The duration of a get beside one of a {@link ConcurrentHashMap} with the same contents: both in
 * turn, in the same loop, and the median of the rounds.
 *
 * @param map the subject, filled
 */
record LocalGets(SharedMap map) {
  private static final int ROUNDS = 20;
  private static final TimeSource TIME = TimeSource.system();

  /** The local ceiling behind the same interface, so that the loop's calls are alike. */
  private record Plain(ConcurrentMap<String, String> entries) implements SharedMap {
    @Override
    public void put(String key, String value) {
      entries.put(key, value);
    }

    @Override
    public @Nullable String get(String key) {
      return entries.get(key);
    }

    @Override
    public void remove(String key) {
      entries.remove(key);
    }

    @Override
    public int members() {
      return 1;
    }
  }

  /** Compares for about that long. */
  Map<String, Double> compare(double seconds) throws Exception {
    Plain plain = new Plain(new ConcurrentHashMap<>());
    new Workload(plain).fill();
    double[] own = new double[ROUNDS];
    double[] other = new double[ROUNDS];
    long roundNanos = (long) (seconds * 1e9 / (2 * ROUNDS));
    for (int i = 0; i < ROUNDS; i++) {
      own[i] = nanosOfOne(map, roundNanos);
      other[i] = nanosOfOne(plain, roundNanos);
    }
    java.util.Arrays.sort(own);
    java.util.Arrays.sort(other);
    Map<String, Double> figures = new TreeMap<>();
    figures.put("local-get-ns", own[ROUNDS / 2]);
    figures.put("concurrent-hash-map-get-ns", other[ROUNDS / 2]);
    figures.put("local-get-to-concurrent-hash-map", own[ROUNDS / 2] / other[ROUNDS / 2]);
    return figures;
  }

  private static double nanosOfOne(SharedMap gets, long nanos) throws Exception {
    long startNanos = TIME.elapsedNanos();
    long endNanos = startNanos;
    long count = 0;
    long characters = 0;
    while (endNanos - startNanos < nanos) {
      for (int i = 0; i < Workload.OBJECTS; i++) {
        @Nullable String found = gets.get(Workload.key(i));
        characters += found == null ? 0 : found.length();
      }
      count += Workload.OBJECTS;
      endNanos = TIME.elapsedNanos();
    }
    if (characters == 0) {
      throw new IllegalStateException("nothing was found");
    }
    return (double) (endNanos - startNanos) / count;
  }
}
