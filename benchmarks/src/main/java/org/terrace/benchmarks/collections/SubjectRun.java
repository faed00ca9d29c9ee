package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.core.TerraceException;

/** One run of one subject: what is measured of its servers, in order. Confined to one thread. */
final class SubjectRun {
  private static final int MARKS = 200;
  private static final int HEAP_ENTRIES = 20_000;
  private static final int NEW_MEMBER_ENTRIES = 10_000;
  private static final long SETTLE_NANOS = 1_000_000_000L;
  private static final double LOCAL_GET_SECONDS = 2;

  /** A part of the measurement of servers that run. */
  @FunctionalInterface
  private interface OfServers {
    void measure(Cluster servers) throws IOException;
  }

  private final Subject subject;
  private final boolean isFirst;
  private final Effort effort;
  private final Results results;
  private final Processes processes;
  private final Parts parts;
  private @Nullable Cluster servers;
  private boolean cannotStart;

  /**
   * A run.
   *
   * @param subject what is measured
   * @param isFirst whether it is the first run, in which what takes long is measured
   * @param effort how long
   * @param results where the figures go
   * @param processes where its processes start
   * @param parts what keeps to the limits
   */
  SubjectRun(
      Subject subject,
      boolean isFirst,
      Effort effort,
      Results results,
      Processes processes,
      Parts parts) {
    this.subject = subject;
    this.isFirst = isFirst;
    this.effort = effort;
    this.results = results;
    this.processes = processes;
    this.parts = parts;
  }

  /** Measures all that applies to the subject. */
  void measure() {
    try {
      measureServers();
    } finally {
      end();
    }
    if (subject.isForOneClient()) {
      return;
    }
    boolean isAll = subject == Subject.TERRACE_ALL;
    boolean extras = effort.extras() && isFirst;
    CrashRun crash = new CrashRun(subject, results, processes);
    if (isAll) {
      attempt(Part.NEW_MEMBER, this::newMember);
    }
    if (isAll || (extras && !subject.isDatabase())) {
      attempt(Part.CRASH_PAUSE, crash::pause);
    }
    if (isAll && extras) {
      attempt(Part.APPEND, new AppendRun(subject, results, processes)::measure);
    }
    if (subject == Subject.TERRACE_LOCAL && isFirst) {
      attempt(Part.CHURN, this::churn);
    }
    PartitionRun partition = new PartitionRun(subject, results, processes);
    if (isAll) {
      attempt(Part.PARTITION, partition::measure);
    } else if (effort.peersPartitions() && isFirst) {
      if (subject.isDatabase()) {
        results.skip(subject, Part.PARTITION.metric(), "one server holds all data");
      } else {
        attempt(Part.PARTITION_AT_LENGTH, partition::measure);
      }
    }
  }

  private void measureServers() {
    if (subject.isForManyClients()) {
      measureManyClients();
      return;
    }
    attempt(Part.LATENCY, this::latency);
    if (subject.isForOneClient()) {
      return;
    }
    if (subject == Subject.TERRACE_ALL) {
      attempt(
          Part.LOCAL_GET,
          cluster -> results.add(subject, cluster.node(0).ask("local-get " + LOCAL_GET_SECONDS)));
    }
    measureManyClients();
    if (effort.extras() && isFirst) {
      attempt(Part.REMOTE, this::remote);
      attempt(Part.VISIBLE, this::visibility);
      if (subject.isDatabase()) {
        results.skip(subject, Part.HEAP.metric(), "the servers hold nothing themselves");
      } else {
        attempt(Part.HEAP, this::heap);
      }
    }
    if (isFirst || subject.isTerrace()) {
      attempt(Part.CRASH_LOST, new CrashRun(subject, results, processes)::lost);
    }
  }

  private void measureManyClients() {
    attempt(Part.MIX, cluster -> load(cluster.node(0), "mix", "", "mix"));
    if (subject.level() == Level.ALL) {
      attempt(Part.SATURATED, this::saturated);
    }
  }

  private void attempt(Part part, Parts.Measurement measurement) {
    parts.attempt(subject, part, measurement);
  }

  /** Measures servers that run; after a failure the next part gets fresh ones. */
  private void attempt(Part part, OfServers measurement) {
    if (servers == null && !cannotStart) {
      if (!parts.attempt(subject, Part.SERVERS, this::start)) {
        end();
      }
      cannotStart = servers == null;
    }
    @Nullable Cluster started = servers;
    if (started != null && !parts.attempt(subject, part, () -> measurement.measure(started))) {
      end();
    }
  }

  private void start() throws IOException {
    Cluster started = Cluster.start(subject, Place.SERVERS, processes);
    servers = started;
    started.node(0).ask("fill");
  }

  private void end() {
    Cluster started = servers;
    servers = null;
    if (started != null) {
      try {
        started.close();
      } catch (TerraceException e) {
        System.err.println(e.getMessage()); // a database's directory is left
      }
    }
  }

  private void latency(Cluster cluster) throws IOException {
    results.add(
        subject,
        cluster
            .node(0)
            .ask("latency %s %s".formatted(effort.firstWarmSeconds(), effort.seconds())));
  }

  private void saturated(Cluster cluster) throws IOException {
    load(cluster.node(0), "saturate", "", "mix-saturated");
  }

  private void remote(Cluster cluster) throws IOException {
    try (Node load = cluster.startLoad()) {
      load(load, "mix", "remote-", "mix");
    }
  }

  /** The paper's load, with what all processes spend and send for it. */
  private void load(Node loaded, String command, String prefix, String name) throws IOException {
    double sentBefore = Loopback.bytes();
    Duration cpuBefore = cpuOfAll();
    Map<String, Double> figures =
        loaded.ask(
            "%s %d %s %s"
                .formatted(command, Workload.CLIENTS, effort.warmSeconds(), effort.seconds()));
    double operations = figures.getOrDefault(name + "-operations-in-all", Double.NaN);
    double cpuSeconds = cpuOfAll().minus(cpuBefore).toNanos() / 1e9;
    figures.remove(name + "-operations-in-all");
    figures.forEach((metric, value) -> results.add(subject, prefix + metric, value));
    results.add(subject, prefix + name + "-cpu-seconds-a-million", 1e6 * cpuSeconds / operations);
    results.add(
        subject,
        prefix + name + "-wire-bytes-an-operation",
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

  /** Measures the memory that an entry of 1 KB takes in a server that did not put it. */
  private void heap(Cluster cluster) throws IOException {
    LockSupport.parkNanos(SETTLE_NANOS);
    double before = heapMegabytes(cluster.node(1));
    cluster.node(0).ask("load " + HEAP_ENTRIES);
    cluster.node(1).ask("await-entries " + HEAP_ENTRIES);
    LockSupport.parkNanos(SETTLE_NANOS);
    double after = heapMegabytes(cluster.node(1));
    results.add(subject, "heap-bytes-an-entry", 1e6 * (after - before) / HEAP_ENTRIES);
  }

  private static double heapMegabytes(Node node) throws IOException {
    return node.ask("heap").getOrDefault("heap-mb", Double.NaN);
  }

  /** Measures the time that a third server takes to join two and get all their entries. */
  private void newMember() throws IOException {
    try (Cluster cluster = Cluster.start(subject, Place.SERVERS - 1, processes)) {
      cluster.node(0).ask("load " + NEW_MEMBER_ENTRIES);
      Node third = cluster.startNode();
      results.add(subject, third.ask("await-size " + NEW_MEMBER_ENTRIES));
    }
  }

  private void churn() throws IOException {
    try (Cluster cluster = Cluster.start(subject, Place.SERVERS, processes)) {
      results.add(subject, cluster.node(0).ask("churn " + effort.churnKeys()));
    }
  }
}
