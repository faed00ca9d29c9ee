package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

@Tag("real-processes")
class CpuLimitsTest {
  private static final List<String> BUSY_LOOP = List.of("sh", "-c", "while :; do :; done");

  private static CpuLimits permitted() {
    CpuLimits limits = CpuLimits.open();
    assumeTrue(limits.warning().isEmpty(), limits.warning().orElse(""));
    return limits;
  }

  @Test
  void aBusyServerGetsTheProcessorTimeOfItsLimit() throws Exception {
    CpuLimits limits = permitted();
    ControlGroup group = limits.limit("app1", 0.2).orElseThrow();
    TimeSource time = TimeSource.system();
    long start = time.elapsedNanos();
    Process server = new ProcessBuilder(group.command(BUSY_LOOP)).start();
    try {
      assertThat(server.waitFor(3, TimeUnit.SECONDS)).isFalse();
      Duration used = server.info().totalCpuDuration().orElseThrow();
      CpuThrottling throttling = group.throttling();

      long elapsedNanos = time.elapsedNanos() - start;
      assertThat(used.toNanos()).isBetween(200_000_000L, (long) (0.2 * 1.3 * elapsedNanos));
      assertThat(throttling.periods()).isGreaterThan(50);
      assertThat(throttling.throttledPeriods()).isBetween(20L, throttling.periods());
      assertThat(throttling.throttledNanos()).isGreaterThan(100_000_000L);
    } finally {
      server.destroyForcibly().waitFor();
      group.close();
      limits.close();
    }
    assertThat(group.folder()).doesNotExist();
    assertThat(group.folder().getParent()).doesNotExist();
  }

  @Test
  void aSuspendedLimitHoldsNothingBackUntilItIsEnforced() throws Exception {
    try (CpuLimits limits = permitted();
        ControlGroup group = limits.limit("app4", 0.1).orElseThrow()) {
      group.suspend();
      Process server = new ProcessBuilder(group.command(BUSY_LOOP)).start();
      try {
        assertThat(server.waitFor(1, TimeUnit.SECONDS)).isFalse();
        assertThat(group.throttling().throttledPeriods()).isZero();

        group.enforce();
        assertThat(server.waitFor(2, TimeUnit.SECONDS)).isFalse();
        assertThat(group.throttling().throttledPeriods()).isGreaterThan(10);
      } finally {
        server.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void theServerIsTheProcessThatJoined() throws Exception {
    try (CpuLimits limits = permitted();
        ControlGroup group = limits.limit("app2", 1).orElseThrow()) {
      Process server =
          new ProcessBuilder(
                  group.command(
                      List.of("sh", "-c", "echo $$ \"$1\"; cat /proc/$$/cgroup", "sh", "a b")))
              .start();
      String output = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(server.waitFor()).isZero();
      assertThat(output).startsWith(server.pid() + " a b\n");
      assertThat(output).contains(group.folder().getParent().getFileName() + "/app2");
    }
  }

  @Test
  void aRunningProcessCanBeMovedIn() throws Exception {
    try (CpuLimits limits = permitted();
        ControlGroup group = limits.limit("app3", 0.5).orElseThrow()) {
      Process server = new ProcessBuilder("cat").start();
      group.add(server.pid());

      assertThat(Files.readString(group.folder().resolve("cgroup.procs")).strip())
          .isEqualTo(Long.toString(server.pid()));
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void groupsOfADeadRunAreRemovedAndThoseOfALivingOneStay() throws Exception {
    try (CpuLimits living = permitted()) {
      Path parent = living.limit("app1", 1).orElseThrow().folder().getParent().getParent();
      Path dead = parent.resolve("terrace-" + ProcessHandle.current().pid() + "-1");
      Files.createDirectories(dead.resolve("app1"));

      try (CpuLimits next = permitted()) {
        assertThat(dead).doesNotExist();
        assertThat(next.leftovers()).anyMatch(sentence -> sentence.contains(dead.toString()));
        assertThat(living.limit("app4", 1).orElseThrow().folder()).exists();
      }
    }
  }

  @Test
  void processesOfADeadRunAreNamed() throws Exception {
    CpuLimits limits = permitted();
    Path parent = limits.limit("app1", 1).orElseThrow().folder().getParent().getParent();
    limits.close();
    Path dead = parent.resolve("terrace-" + ProcessHandle.current().pid() + "-2");
    Files.createDirectories(dead.resolve("app1"));
    Process survivor = new ProcessBuilder("cat").start();
    Files.writeString(dead.resolve("app1/cgroup.procs"), Long.toString(survivor.pid()));

    try (CpuLimits next = permitted()) {
      assertThat(next.leftovers())
          .anyMatch(sentence -> sentence.contains("kill " + survivor.pid()));
    } finally {
      survivor.destroyForcibly().waitFor();
    }
    CpuLimits.open().close();
    assertThat(dead).doesNotExist();
  }

  @Test
  void wrongNamesAndNumbersAreRefused() {
    try (CpuLimits limits = CpuLimits.open()) {
      assertThatThrownBy(() -> limits.limit("../escape", 1))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("../escape");
      assertThatThrownBy(() -> limits.limit("app1", 0))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("0.001 to 1024");
      assertThatThrownBy(() -> limits.limit("app1", Double.NaN))
          .isInstanceOf(TerraceException.class);
    }
  }
}
