package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.core.TimeSource;

/**
 * A partition of one server from two: both sides notice, both write, the network heals; how long
 * until all servers are alike, and what is missing then.
 *
 * @param subject what is measured
 * @param results where the figures go
 * @param processes where its processes start
 */
record PartitionRun(Subject subject, Results results, Processes processes) {
  private static final long CONVERGE_NANOS_MAX = 120_000_000_000L;
  private static final long POLL_NANOS = 5_000_000;
  private static final TimeSource TIME = TimeSource.system();

  void measure() throws IOException {
    try (Switch network = Switch.make();
        Cluster cluster = Cluster.start(subject, Place.SERVERS, network, processes)) {
      cluster.node(0).ask("fill");
      network.cut(0);
      long cutNanos = TIME.elapsedNanos();
      for (int i = 0; i < Place.SERVERS; i++) {
        cluster.node(i).tell("join " + (i == 0 ? 1 : Place.SERVERS - 1));
      }
      for (int i = 0; i < Place.SERVERS; i++) {
        cluster.node(i).answer();
      }
      results.add(subject, "partition-noticed", seconds(cutNanos));
      cluster.node(0).ask("side 0");
      cluster.node(1).ask("side 1");
      network.heal(0);
      converge(cluster);
    }
  }

  private void converge(Cluster cluster) throws IOException {
    long healedNanos = TIME.elapsedNanos();
    double present = 0;
    boolean alike = false;
    while (!alike
        && !processes.isEnding()
        && TIME.elapsedNanos() - healedNanos < CONVERGE_NANOS_MAX) {
      LockSupport.parkNanos(POLL_NANOS);
      Set<Map<String, Double>> digests = new HashSet<>();
      for (int i = 0; i < Place.SERVERS; i++) {
        digests.add(cluster.node(i).ask("digest"));
      }
      present =
          digests.stream()
              .mapToDouble(digest -> digest.getOrDefault("present", 0.0))
              .min()
              .orElse(0);
      boolean merged = cluster.node(0).ask("members").getOrDefault("members", 0.0) > 1;
      alike = merged && digests.size() == 1;
    }
    results.add(subject, "partition-discarded", 2 * Sides.KEYS - present);
    if (!alike) {
      throw new IOException("the servers still differed two minutes after the heal");
    }
    results.add(subject, "partition-converged", seconds(healedNanos));
  }

  private static double seconds(long sinceNanos) {
    return (TIME.elapsedNanos() - sinceNanos) / 1e9;
  }
}
