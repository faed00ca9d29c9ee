package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;

/**
 * One run of one subject: what is measured of its three servers, in order.
 *
 * @param subject what is measured
 * @param isFirst whether it is the first run, in which what takes minutes is measured
 * @param effort how long
 * @param results where the figures go
 * @param log where its processes complain
 */
record SubjectRun(Subject subject, boolean isFirst, Effort effort, Results results, Path log) {
  private static final int REASON_MAX = 160;
  private static final int MARKS = 200;
  private static final int HEAP_ENTRIES = 20_000;
  private static final int NEW_MEMBER_ENTRIES = 10_000;
  private static final int BURST_PUTS = 20_000;
  private static final long BURST_NANOS_MAX = 20_000_000_000L;
  private static final long POLL_NANOS = 500_000;
  private static final long SETTLE_NANOS = 3_000_000_000L;
  private static final int CRASH_PAUSE_SECONDS = 6;
  private static final double LOCAL_GET_SECONDS = 2;
  private static final TimeSource TIME = TimeSource.system();

  /** A part of the measurement. */
  @FunctionalInterface
  private interface Part {
    void measure() throws IOException;
  }

  /** Measures all that applies to the subject; what fails is noted, and the rest goes on. */
  void measure() {
    attempt(
        "servers",
        () -> {
          try (Cluster cluster = Cluster.start(subject, Place.SERVERS, log)) {
            cluster.node(0).ask("fill");
            attempt("embedded", () -> embedded(cluster));
            if (effort.extras() && isFirst) {
              attempt("remote", () -> remote(cluster));
              attempt("visible", () -> visibility(cluster));
              attempt("heap-bytes-an-entry", () -> heap(cluster));
            }
            attempt("crash-lost", () -> crash(cluster));
          }
        });
    if (subject == Subject.TERRACE_ALL) {
      attempt("new-member", this::newMember);
    }
    if (subject == Subject.TERRACE_ALL || (effort.extras() && isFirst && !subject.isDatabase())) {
      attempt("crash-pause", this::crashPause);
    }
    if (subject == Subject.TERRACE_LOCAL && isFirst) {
      attempt("churn", this::churn);
    }
    if ((effort.peersPartitions() && isFirst) || subject == Subject.TERRACE_ALL) {
      attempt("partition-converged", new PartitionRun(subject, results, log)::measure);
    }
  }

  private void attempt(String what, Part part) {
    try {
      part.measure();
    } catch (IOException | RuntimeException e) {
      String reason = String.valueOf(e.getMessage());
      results.skip(
          subject, what, reason.length() <= REASON_MAX ? reason : reason.substring(0, REASON_MAX));
    }
  }

  private void embedded(Cluster cluster) throws IOException {
    Node loaded = cluster.node(0);
    results.add(
        subject, loaded.ask("latency %s %s".formatted(effort.warmSeconds(), effort.seconds())));
    if (subject == Subject.TERRACE_ALL) {
      results.add(subject, loaded.ask("local-get " + LOCAL_GET_SECONDS));
    }
    mix(loaded, "");
  }

  private void remote(Cluster cluster) throws IOException {
    try (Node load = cluster.startLoad()) {
      mix(load, "remote-");
    }
  }

  /** The paper's load, with what all processes spend and send for it. */
  private void mix(Node loaded, String prefix) throws IOException {
    double sentBefore = Loopback.bytes();
    Duration cpuBefore = cpuOfAll();
    Map<String, Double> figures =
        loaded.ask(
            "mix %d %s %s".formatted(effort.clients(), effort.warmSeconds(), effort.seconds()));
    double operations = figures.getOrDefault("mix-operations-in-all", Double.NaN);
    double cpuSeconds = cpuOfAll().minus(cpuBefore).toNanos() / 1e9;
    figures.remove("mix-operations-in-all");
    figures.forEach((name, value) -> results.add(subject, prefix + name, value));
    results.add(subject, prefix + "mix-cpu-seconds-a-million", 1e6 * cpuSeconds / operations);
    results.add(
        subject,
        prefix + "mix-wire-bytes-an-operation",
        (Loopback.bytes() - sentBefore) / operations);
  }

  /** Processor time of all processes that the benchmark has started and that still run. */
  private static Duration cpuOfAll() {
    return ProcessHandle.current()
        .descendants()
        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** From a put at one server to the sight of it at the slower of the others. */
  private void visibility(Cluster cluster) throws IOException {
    cluster.node(1).tell("watch");
    cluster.node(2).tell("watch");
    cluster.node(0).ask("mark " + MARKS);
    Map<String, Double> one = cluster.node(1).answer();
    Map<String, Double> other = cluster.node(2).answer();
    one.forEach((name, value) ->
        results.add(subject, name, Math.max(value, other.getOrDefault(name, value))));
  }

  /** What an entry of 1 KB takes in a server that did not put it. */
  private void heap(Cluster cluster) throws IOException {
    if (subject.isDatabase()) {
      throw new IOException("the servers hold nothing themselves");
    }
    double before = heapMegabytes(cluster.node(1));
    cluster.node(0).ask("load " + HEAP_ENTRIES);
    LockSupport.parkNanos(SETTLE_NANOS);
    double after = heapMegabytes(cluster.node(1));
    results.add(subject, "heap-bytes-an-entry", 1e6 * (after - before) / HEAP_ENTRIES);
  }

  private static double heapMegabytes(Node node) throws IOException {
    return node.ask("heap").getOrDefault("heap-mb", Double.NaN);
  }

  /** Kills the server that writes, in the middle of its writing, and asks the others. */
  private void crash(Cluster cluster) throws IOException {
    Path file = Files.createTempFile("terrace-bench-acknowledged", ".bin");
    try {
      LongBuffer acknowledged = Durability.acknowledged(file);
      cluster.node(0).ask("burst " + file);
      long startNanos = TIME.elapsedNanos();
      while (sum(acknowledged) < BURST_PUTS && TIME.elapsedNanos() - startNanos < BURST_NANOS_MAX) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      cluster.kill(0);
      cluster.join();
      LockSupport.parkNanos(SETTLE_NANOS);
      Map<String, Double> one = cluster.node(0).ask("lost " + file);
      Map<String, Double> other = cluster.node(1).ask("lost " + file);
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

  /** How long a third server takes to join two and get all their entries. */
  private void newMember() throws IOException {
    try (Cluster cluster = Cluster.start(subject, Place.SERVERS - 1, log)) {
      cluster.node(0).ask("load " + NEW_MEMBER_ENTRIES);
      Node third = cluster.startNode();
      results.add(subject, third.ask("await-size " + NEW_MEMBER_ENTRIES));
    }
  }

  /** How long one writer stands still when another server is killed under it. */
  private void crashPause() throws IOException {
    try (Cluster cluster = Cluster.start(subject, Place.SERVERS, log)) {
      cluster.node(0).ask("fill");
      cluster.node(0).tell("longest-put " + CRASH_PAUSE_SECONDS);
      LockSupport.parkNanos(SETTLE_NANOS);
      cluster.kill(Place.SERVERS - 1);
      results.add(subject, cluster.node(0).answer());
    }
  }

  private void churn() throws IOException {
    try (Cluster cluster = Cluster.start(subject, Place.SERVERS, log)) {
      results.add(subject, cluster.node(0).ask("churn " + effort.churnKeys()));
    }
  }
}
