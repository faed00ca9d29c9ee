package org.terrace.benchmarks.collections;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.terrace.benchmarks.collections.peers.SharedMap;
import org.terrace.core.TimeSource;

/** The commands that a server or the load process obeys. */
final class NodeCommands {
  private static final long POLL_NANOS = 1_000_000;
  private static final long WAIT_NANOS_MAX = 120_000_000_000L;
  private static final int COLLECTIONS = 3;
  private static final double MEGABYTE = 1e6;
  private static final TimeSource TIME = TimeSource.system();

  private final SharedMap map;
  private final long startNanos;
  private final long openedNanos = TIME.elapsedNanos();
  private final Workload workload;

  /**
   * Commands for a map.
   *
   * @param map what they are about
   * @param startNanos when its opening began
   */
  NodeCommands(SharedMap map, long startNanos) {
    this.map = map;
    this.startNanos = startNanos;
    this.workload = new Workload(map);
  }

  /** Does what the words say; the figures it gave. */
  Map<String, Double> run(String[] words) throws Exception {
    return switch (words[0]) {
      case "join" -> join(Integer.parseInt(words[1]));
      case "fill" -> workload.fill();
      case "latency" ->
          workload.latency(Double.parseDouble(words[1]), Double.parseDouble(words[2]));
      case "mix" -> mix("mix", words, Workload.THINK_NANOS);
      case "saturate" -> mix("mix-saturated", words, 0);
      case "longest-put" -> workload.longestPut(Double.parseDouble(words[1]));
      case "mark" -> new Visibility(map).mark(Integer.parseInt(words[1]));
      case "watch" -> new Visibility(map).watch();
      case "burst" -> new Durability(map).burst(Path.of(words[1]));
      case "lost" -> new Durability(map).lost(Path.of(words[1]));
      case "local-get" -> new LocalGets(map).compare(Double.parseDouble(words[1]));
      case "load" -> new Bulk(map).load(Integer.parseInt(words[1]));
      case "churn" -> new Bulk(map).churn(Integer.parseInt(words[1]));
      case "append" -> append("element " + words[1]);
      case "await-entries" -> awaitEntries(Integer.parseInt(words[1]));
      case "await-size" -> awaitSize(Integer.parseInt(words[1]));
      case "side" -> new Sides(map).write(Integer.parseInt(words[1]));
      case "digest" -> new Sides(map).digest();
      case "members" -> Map.of("members", (double) map.members());
      case "heap" -> heap();
      case "figures" -> map.figures();
      default -> throw new IllegalArgumentException("unknown command " + words[0]);
    };
  }

  private Map<String, Double> mix(String name, String[] words, long thinkNanos) throws Exception {
    return workload.mix(
        name,
        Integer.parseInt(words[1]),
        thinkNanos,
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]));
  }

  /** Adds an element at the end of the list; how long that took. */
  private Map<String, Double> append(String element) {
    long startNanos = TIME.elapsedNanos();
    map.list().add(element);
    return Map.of("nanos", (double) (TIME.elapsedNanos() - startNanos));
  }

  /** Waits until all entries that another server loaded are here. */
  private Map<String, Double> awaitEntries(int entries) throws Exception {
    long sinceNanos = TIME.elapsedNanos();
    for (int i = 0; i < entries; i++) {
      while (map.get(Bulk.key(i)) == null) {
        pause(sinceNanos, "entries", entries);
      }
    }
    return Map.of();
  }

  /** Waits until that many servers see each other. */
  private Map<String, Double> join(int members) throws Exception {
    long sinceNanos = TIME.elapsedNanos();
    while (map.members() != members) {
      pause(sinceNanos, "servers that see each other", members);
    }
    return Map.of();
  }

  /** Waits until that many entries are here; how long after the beginning that was. */
  private Map<String, Double> awaitSize(int entries) {
    while (map.size() < entries) {
      pause(startNanos, "entries", entries);
    }
    return Map.of(
        "new-member",
        (TIME.elapsedNanos() - startNanos) / 1e9,
        "new-member-opened",
        (openedNanos - startNanos) / 1e9);
  }

  private static void pause(long sinceNanos, String what, int wanted) {
    if (TIME.elapsedNanos() - sinceNanos > WAIT_NANOS_MAX) {
      throw new IllegalStateException("two minutes have not brought " + wanted + " " + what);
    }
    LockSupport.parkNanos(POLL_NANOS);
  }

  /** Megabytes of heap in use after collection. */
  static Map<String, Double> heap() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < COLLECTIONS; i++) {
      memory.gc();
    }
    return Map.of("heap-mb", memory.getHeapMemoryUsage().getUsed() / MEGABYTE);
  }
}
