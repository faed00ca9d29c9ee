package org.terrace.benchmarks.collections;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.terrace.benchmarks.collections.peers.SharedMap;

/**
 * Many entries, and many changes that leave nothing.
 *
 * @param map where they are made
 */
record Bulk(SharedMap map) {
  private static final int THREADS = 8;
  private static final int BATCH = 1_000;
  private static final int ROUNDS = 5;
  private static final int CHANGES_AHEAD_MAX = 500;

  /** Puts that many entries of 1 KB, from several threads, and in batches where that is faster. */
  Map<String, Double> load(int entries) throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Exception> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            try {
              int from = next.getAndAdd(BATCH);
              for (; from < entries; from = next.getAndAdd(BATCH)) {
                map.putAll(batch(from, Math.min(entries, from + BATCH)));
              }
            } catch (Exception e) {
              failure.set(e);
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return Map.of();
  }

  private static Map<String, String> batch(int from, int to) {
    Map<String, String> batch = new LinkedHashMap<>();
    for (int i = from; i < to; i++) {
      batch.put(key(i), Workload.freshContent(i));
    }
    return batch;
  }

  /** The key of a loaded entry. */
  static String key(int number) {
    return "entry-" + number;
  }

  /** Puts and removes that many new keys, and looks at the heap as it goes. */
  Map<String, Double> churn(int keys) throws Exception {
    Map<String, Double> figures = new TreeMap<>();
    int next = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < keys / ROUNDS; i++) {
        String key = "churn-" + next++;
        map.put(key, key);
        map.remove(key);
        if (i % CHANGES_AHEAD_MAX == 0) {
          map.awaitAll();
        }
      }
      map.awaitAll();
      double megabytes = NodeCommands.heap().getOrDefault("heap-mb", Double.NaN);
      figures.putIfAbsent("churn-heap-first-mb", megabytes);
      figures.put("churn-heap-last-mb", megabytes);
    }
    figures.put("churn-keys", (double) next);
    map.figures().forEach((name, value) -> figures.put("churn-" + name, value));
    return figures;
  }
}
