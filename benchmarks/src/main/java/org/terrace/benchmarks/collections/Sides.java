package org.terrace.benchmarks.collections;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.SharedMap;

/**
 * The writes of the two sides of a partition: keys of their own, and keys that both write.
 *
 * @param map where they write
 */
record Sides(SharedMap map) {
  /** Number of keys of each side, and of keys of both. */
  static final int KEYS = 200;

  private static final int SIDES = 2;

  /** Writes as one of the sides, 0 or 1. */
  Map<String, Double> write(int side) throws Exception {
    for (int i = 0; i < KEYS; i++) {
      map.put(own(side, i), Workload.content(i));
      map.put(shared(i), Workload.content(i + side));
    }
    return Map.of();
  }

  /**
   * The number of keys of the sides that are here, and a number that stands for what both wrote.
   */
  Map<String, Double> digest() throws Exception {
    double present = 0;
    int hash = 0;
    for (int i = 0; i < KEYS; i++) {
      for (int side = 0; side < SIDES; side++) {
        present += map.get(own(side, i)) == null ? 0 : 1;
      }
      @Nullable String both = map.get(shared(i));
      hash = 31 * hash + (both == null ? 0 : both.hashCode());
    }
    Map<String, Double> figures = new TreeMap<>();
    figures.put("present", present);
    figures.put("hash", (double) hash);
    return figures;
  }

  private static String own(int side, int number) {
    return "side-" + side + "-" + number;
  }

  private static String shared(int number) {
    return "both-" + number;
  }
}
