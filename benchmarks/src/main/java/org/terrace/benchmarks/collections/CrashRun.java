package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.core.TimeSource;

/**
 * The part of a subject in which a server is killed amid puts.
 *
 * @param subject what is measured
 * @param results where the figures go
 * @param processes its processes
 */
record CrashRun(Subject subject, Results results, Processes processes) {
  private static final int BURST_PUTS = 20_000;
  private static final long BURST_NANOS_MAX = 10_000_000_000L;
  private static final long POLL_NANOS = 500_000;
  private static final long SETTLE_NANOS = 3_000_000_000L;
  private static final int PAUSE_SECONDS = 6;
  private static final TimeSource TIME = TimeSource.system();

  /** Kills the server that writes, in the middle of its writing, and asks the others. */
  void lost(Cluster cluster) throws IOException {
    Path file = Files.createTempFile("terrace-bench-acknowledged", ".bin");
    try {
      LongBuffer acknowledged = Durability.acknowledged(file);
      cluster.node(0).ask("burst " + file);
      long startNanos = TIME.elapsedNanos();
      while (sum(acknowledged) < BURST_PUTS
          && TIME.elapsedNanos() - startNanos < BURST_NANOS_MAX
          && !processes.isEnding()) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      cluster.kill(0);
      cluster.join();
      LockSupport.parkNanos(SETTLE_NANOS);
      var one = cluster.node(0).ask("lost " + file);
      var other = cluster.node(1).ask("lost " + file);
      results.add(subject, "crash-acknowledged", one.getOrDefault("acknowledged", 0.0));
      results.add(
          subject,
          "crash-lost",
          Math.max(one.getOrDefault("lost", 0.0), other.getOrDefault("lost", 0.0)));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static long sum(LongBuffer counts) {
    long sum = 0;
    for (int i = 0; i < counts.capacity(); i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** Measures the time for which one writer stands still when another server is killed under it. */
  void pause() throws IOException {
    try (Cluster cluster = Cluster.start(subject, Place.SERVERS, processes)) {
      cluster.node(0).ask("fill");
      cluster.node(0).tell("longest-put " + PAUSE_SECONDS);
      LockSupport.parkNanos(SETTLE_NANOS);
      cluster.kill(Place.SERVERS - 1);
      results.add(subject, cluster.node(0).answer());
    }
  }
}
