package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.monitor.ResourceMonitor.Target;
import org.terrace.observation.Sample;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
class ResourceMonitorTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path directory;

  @Test
  void theCpuMemoryAndDiskOfANodeAreThoseOfItsWholeTree() throws Exception {
    try (Supervisor supervisor =
        new Supervisor(directory, "monitor-" + directory.getFileName(), TimeSource.system())) {
      Node busy =
          shell(supervisor, "busy", "setsid sh -c 'while :; do :; done' & echo ready; wait");
      Node idle = shell(supervisor, "idle", "echo ready; sleep 1000");
      Node writer =
          shell(
              supervisor,
              "writer",
              "echo ready; while :; do dd if=/dev/zero of=file bs=64k count=64 conv=fsync; done");
      supervisor.awaitReady(busy);
      supervisor.awaitReady(idle);
      supervisor.awaitReady(writer);
      List<Sample> samples;
      try (ResourceMonitor monitor =
          new ResourceMonitor(
              List.of(
                  new Target("busy", 1, busy::members),
                  new Target("idle", 1, idle::members),
                  new Target("writer", 1, writer::members)),
              Duration.ofMillis(200),
              TimeSource.system())) {
        assertThat(
                Await.until(
                    SOON, () -> count(monitor.samples(), "busy", Resources.CPU_UTILISATION) >= 5))
            .isTrue();
        samples = monitor.samples();
      }
      // A busy loop gets what the other processes of the machine leave it.
      assertThat(mean(samples, "busy", Resources.CPU_UTILISATION)).isBetween(0.15, 1.1);
      assertThat(mean(samples, "idle", Resources.CPU_UTILISATION)).isLessThan(0.05);
      assertThat(mean(samples, "idle", Resources.MEMORY_BYTES)).isBetween(100e3, 20e6);
      assertThat(mean(samples, "writer", Resources.DISK_WRITE)).isGreaterThan(1e5);
      assertThat(mean(samples, "idle", Resources.DISK_WRITE)).isZero();
      assertThat(mean(samples, Resources.MACHINE, Resources.CPU_UTILISATION)).isBetween(0.1, 1.0);
      assertThat(mean(samples, Resources.MACHINE, Resources.PROCESSORS))
          .as("of which a quota may leave this JVM less")
          .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
      assertThat(mean(samples, Resources.MACHINE, Resources.CPU_STEAL)).isBetween(0.0, 1.0);
      assertThat(mean(samples, Resources.MACHINE, Resources.CPU_WAIT)).isBetween(0.0, 1.0);
      if (Files.isReadable(Path.of("/proc/pressure/io"))) {
        // One process of those above writes and waits for the disk all the time.
        assertThat(mean(samples, Resources.MACHINE, Resources.STORAGE_PRESSURE)).isPositive();
        assertThat(mean(samples, Resources.MACHINE, Resources.CPU_PRESSURE)).isBetween(0.0, 1.0);
      }
      assertThat(mean(samples, Resources.MACHINE, Resources.MEMORY_BYTES)).isGreaterThan(50e6);
    }
  }

  /** The kernel adds what a child wrote to whoever reaps it: that is no second write. */
  @Test
  void whatAChildWroteCountsOnceAfterItsEndToo() throws Exception {
    try (Supervisor supervisor =
        new Supervisor(directory, "reaped-" + directory.getFileName(), TimeSource.system())) {
      Node node =
          shell(
              supervisor,
              "parent",
              "echo ready; read go; sh -c 'dd if=/dev/zero of=file bs=1M count=32 conv=fsync; sleep 1'; touch"
                  + " reaped; sleep 1000");
      supervisor.awaitReady(node);
      List<Sample> samples;
      try (ResourceMonitor monitor =
          new ResourceMonitor(
              List.of(new Target("parent", 1, node::members)),
              Duration.ofMillis(100),
              TimeSource.system())) {
        assertThat(
                Await.until(
                    SOON, () -> count(monitor.samples(), "parent", Resources.DISK_WRITE) >= 1))
            .isTrue();
        assertThat(node.writeLine("go")).isTrue();
        assertThat(Await.until(SOON, () -> Files.exists(directory.resolve("reaped")))).isTrue();
        long seen = count(monitor.samples(), "parent", Resources.DISK_WRITE);
        assertThat(
                Await.until(
                    SOON,
                    () -> count(monitor.samples(), "parent", Resources.DISK_WRITE) >= seen + 3))
            .isTrue();
        samples = monitor.samples();
      }
      assertThat(bytes(samples, "parent")).isBetween(32e6, 1.3 * (32 << 20));
    }
  }

  /** Each lives for a small part of an interval, and is dead when the processes are read. */
  @Test
  void aServerThatStartsAProcessForEachRequestIsNotIdle() throws Exception {
    try (Supervisor supervisor =
        new Supervisor(directory, "forking-" + directory.getFileName(), TimeSource.system())) {
      Node node =
          shell(
              supervisor,
              "forking",
              "echo ready; while :; do sh -c 'i=0; while [ $i -lt 10000 ]; do i=$((i+1)); done'; done");
      supervisor.awaitReady(node);

      assertThat(shareOf(new Target("forking", 1, node::members))).isGreaterThan(0.1);
    }
  }

  /** As work that a fault puts beside a server, or what a server starts and does not wait for. */
  @Test
  void whatIsInTheGroupOfANodeCountsThoughItIsNoneOfItsProcesses() throws Exception {
    Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      GroupUse uncounted = new Group(OptionalLong::empty, List.of(busy.pid()));
      AtomicLong used = new AtomicLong();
      GroupUse counted = new Group(() -> OptionalLong.of(used.addAndGet(1L << 40)), List.of());

      assertThat(shareOf(new Target("beside", 1, List::of, Optional.of(uncounted), Map::of)))
          .isGreaterThan(0.1);
      assertThat(shareOf(new Target("counted", 1, List::of, Optional.of(counted), Map::of)))
          .as("the kernel's own count")
          .isGreaterThan(100);
    } finally {
      busy.destroyForcibly();
      busy.onExit().join();
    }
  }

  private record Group(Supplier<OptionalLong> used, List<Long> processes) implements GroupUse {
    @Override
    public OptionalLong usedNanos() {
      return used.get();
    }
  }

  /** The mean of what a node used of its processors, in a few readings. */
  private static double shareOf(Target target) {
    try (ResourceMonitor monitor =
        new ResourceMonitor(List.of(target), Duration.ofMillis(500), TimeSource.system())) {
      assertThat(
              Await.until(
                  SOON,
                  () -> count(monitor.samples(), target.name(), Resources.CPU_UTILISATION) >= 4))
          .isTrue();
      return mean(monitor.samples(), target.name(), Resources.CPU_UTILISATION);
    }
  }

  /** The bytes that a node wrote in all: each rate counts from the reading before. */
  private static double bytes(List<Sample> samples, String node) {
    double all = 0;
    long beforeNanos = 0;
    for (Sample sample : samples) {
      if (sample.node().equals(node) && sample.resource().equals(Resources.MEMORY_BYTES)) {
        beforeNanos = sample.timeNanos();
      } else if (sample.node().equals(node) && sample.resource().equals(Resources.DISK_WRITE)) {
        all += sample.value() * (sample.timeNanos() - beforeNanos) / 1e9;
      }
    }
    return all;
  }

  private Node shell(Supervisor supervisor, String name, String script) {
    return supervisor.start(
        new NodeSpecification(
            name,
            List.of("sh", "-c", script),
            Map.of(),
            directory,
            new Readiness.Line("ready"),
            SOON,
            true,
            Signal.KILL));
  }

  private static long count(List<Sample> samples, String node, String resource) {
    return samples.stream()
        .filter(sample -> sample.node().equals(node) && sample.resource().equals(resource))
        .count();
  }

  private static double mean(List<Sample> samples, String node, String resource) {
    return samples.stream()
        .filter(sample -> sample.node().equals(node) && sample.resource().equals(resource))
        .mapToDouble(Sample::value)
        .average()
        .orElseThrow();
  }
}
