package org.terrace.benchmarks.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.terrace.benchmarks.collections.peers.SharedMap;
import org.terrace.core.TimeSource;
import org.terrace.core.ZipfDistribution;
import org.terrace.load.Latencies;

/**
 * The paper's load on a map: objects of 1 KB that are drawn by Zipf's law, half reads, and clients
 * that think between operations; and one client that does not think. The clients are virtual
 * threads of this process.
 *
 * @param map what is loaded
 */
record Workload(SharedMap map) {
  /** Number of objects. */
  static final int OBJECTS = 1_024;

  /** The time for which a client that thinks does so after each operation. */
  static final long THINK_NANOS = 20_000_000;

  /** Number of clients at once. */
  static final int CLIENTS = 1_024;

  private static final int VALUE_CHARACTERS = 1_024;
  private static final int VALUES = 64;
  private static final long SEED = 2026;
  private static final int GETS_AT_ONCE = 64;
  private static final TimeSource TIME = TimeSource.system();
  private static final ZipfDistribution POPULARITY = new ZipfDistribution(OBJECTS, 1);
  private static final List<String> KEYS = texts(OBJECTS, 8);
  private static final List<String> CONTENTS = texts(VALUES, VALUE_CHARACTERS);

  private static List<String> texts(int count, int characters) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder("%04d".formatted(i));
      while (text.length() < characters) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  /** A value of 1 KB. */
  static String content(int number) {
    return CONTENTS.get(Math.floorMod(number, VALUES));
  }

  /** The key of an object. */
  static String key(int object) {
    return KEYS.get(object);
  }

  /** A value of 1 KB that shares nothing with another. */
  static String freshContent(int number) {
    return "%08d".formatted(number) + content(number).substring(8);
  }

  /** Puts every object once. */
  TreeMap<String, Double> fill() throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      map.put(KEYS.get(i), content(i));
    }
    return new TreeMap<>();
  }

  /** One client that does not think: puts for that long, then gets for as long. */
  TreeMap<String, Double> latency(double warmSeconds, double seconds) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    puts(warmSeconds, random);
    gets(warmSeconds / 4, random);
    TreeMap<String, Double> figures = new TreeMap<>();
    Latencies puts = puts(seconds, random);
    puts.putInto(figures, "put");
    gets(seconds / 4, random).putInto(figures, "get");
    return figures;
  }

  private Latencies puts(double seconds, SplittableRandom random) throws Exception {
    Latencies latencies = new Latencies();
    long endNanos = TIME.elapsedNanos() + (long) (seconds * 1e9);
    long startNanos = TIME.elapsedNanos();
    while (startNanos < endNanos) {
      map.put(draw(random), content(latencies.count()));
      long nowNanos = TIME.elapsedNanos();
      latencies.add(nowNanos - startNanos);
      startNanos = nowNanos;
    }
    return latencies;
  }

  /** One client that does not think puts for that long: the longest of its puts, in seconds. */
  Map<String, Double> longestPut(double seconds) throws Exception {
    try {
      Latencies latencies = puts(seconds, new SplittableRandom(SEED));
      return Map.of("crash-pause", latencies.longestNanos() / 1e9);
    } catch (Exception e) {
      throw new IllegalStateException("a put failed: " + e.getClass().getSimpleName(), e);
    }
  }

  /** Several gets are timed together, since one takes about as long as reading the clock. */
  private Latencies gets(double seconds, SplittableRandom random) throws Exception {
    Latencies latencies = new Latencies();
    long endNanos = TIME.elapsedNanos() + (long) (seconds * 1e9);
    long startNanos = TIME.elapsedNanos();
    while (startNanos < endNanos && !latencies.isFull()) {
      int found = 0;
      for (int i = 0; i < GETS_AT_ONCE; i++) {
        found += map.get(draw(random)) == null ? 0 : 1;
      }
      if (found == 0) {
        throw new IllegalStateException("none of " + GETS_AT_ONCE + " objects was found");
      }
      long nowNanos = TIME.elapsedNanos();
      latencies.add((nowNanos - startNanos) / GETS_AT_ONCE);
      startNanos = nowNanos;
    }
    return latencies;
  }

  /**
   * Clients that think that long after each operation, or not at all; only what happens after the
   * warm-up counts. The figures' names begin with the given one.
   */
  TreeMap<String, Double> mix(
      String name, int clients, long thinkNanos, double warmSeconds, double seconds)
      throws Exception {
    long fromNanos = TIME.elapsedNanos() + (long) (warmSeconds * 1e9);
    long endNanos = fromNanos + (long) (seconds * 1e9);
    List<MixClient> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      MixClient client = new MixClient(map, SEED + i, thinkNanos, fromNanos, endNanos);
      all.add(client);
      threads.add(Thread.startVirtualThread(client));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    TreeMap<String, Double> figures = new TreeMap<>();
    Latencies.merge(all.stream().map(MixClient::latencies).toList()).putInto(figures, name);
    figures.put(name + "-throughput", sum(all, MixClient::counted) / seconds);
    figures.put(name + "-operations-in-all", sum(all, MixClient::operations));
    figures.put(name + "-failures", sum(all, MixClient::failures));
    if (thinkNanos == 0) {
      figures.put(name + "-starved-clients", sum(all, client -> client.counted() == 0 ? 1 : 0));
    }
    return figures;
  }

  private static double sum(List<MixClient> clients, ToLongFunction<MixClient> figure) {
    return clients.stream().mapToLong(figure).sum();
  }

  /** An object, drawn by its popularity. */
  static String draw(SplittableRandom random) {
    return KEYS.get(POPULARITY.next(random));
  }

  /** Any of the values. */
  static String anyContent(SplittableRandom random) {
    return content(random.nextInt(VALUES));
  }
}
