package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Launch;
import org.terrace.nodes.LocalHost;
import org.terrace.nodes.Signal;
import org.terrace.nodes.machine.MemoryGroup;
import org.terrace.nodes.machine.MemoryLimits;
import org.terrace.testing.Await;

/** A real process that reads a file again and again, within a real limit of memory. */
@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class MemoryPressureTest {
  private static final long MEBIBYTE = 1 << 20;
  private static final long LIMIT = 64 * MEBIBYTE;
  private static final int FILE = (int) (32 * MEBIBYTE);
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private final LocalHost host = new LocalHost();
  private final MemoryLimits limits = new MemoryLimits();
  private MemoryGroup group;

  @BeforeEach
  void limit() {
    try {
      group = limits.limit("database1", LIMIT, Optional.empty());
    } catch (TerraceException e) {
      Assumptions.abort(e.getMessage());
    }
  }

  @AfterEach
  void end() {
    host.close();
    if (group != null) {
      assertThat(Await.until(SOON, () -> closed(group.folder()))).as("the group is gone").isTrue();
    }
  }

  private boolean closed(Path group) {
    limits.close();
    return !Files.exists(group);
  }

  private Process start(String script) throws IOException {
    List<String> command = group.command(List.of("sh", "-c", script));
    return host.start(new Launch("database1", command, Map.of(), folder, true));
  }

  /** It writes the file as well: pages count for whoever has them read or written first. */
  private Process reader() throws IOException {
    return start(
        "head -c " + FILE + " /dev/zero >data; sync data; while :; do cat data >/dev/null; done");
  }

  private static void assertSoon(String what, BooleanSupplier condition) {
    assertThat(Await.until(SOON, condition)).as(what).isTrue();
  }

  private MemoryPressure pressure(double share) {
    return new MemoryPressure(
        "database1", host, group::command, group.limitBytes(), group::use, share);
  }

  private long cache() {
    return group.use().cacheBytes();
  }

  @Test
  void theKernelTakesBackTheServersPagesOfFilesAndGivesThemAgain() throws IOException {
    Process server = reader();
    assertSoon("the file is kept in memory", () -> cache() > FILE * 0.8);
    long before = group.use().keptBytes();
    MemoryPressure pressure = pressure(0.9);

    pressure.begin();

    assertSoon("its pages are taken back", () -> cache() < FILE / 2);
    assertThat(group.use().keptBytes()).isGreaterThan((long) (0.85 * LIMIT));
    Map<String, String> facts = pressure.end();
    assertThat(facts).containsEntry("limitBytes", "" + LIMIT);
    // A page that is being read cannot be taken back: a busy kernel may end one process before it.
    assertThat(Integer.parseInt(facts.get("endedByKernel"))).isLessThanOrEqualTo(1);
    assertThat(Long.parseLong(facts.get("keptBytes"))).isGreaterThan((long) (0.85 * LIMIT));
    assertSoon("nothing is taken any more", () -> group.use().keptBytes() < before + 4 * MEBIBYTE);
    assertSoon("the file is kept again", () -> cache() > FILE * 0.8);
    assertThat(server.isAlive()).isTrue();
  }

  /** The control of the test above, whose readings are the pressure's doing. */
  @Test
  void withoutPressureTheGroupsMemoryDoesNotMove() throws Exception {
    Process server = reader();
    assertSoon("the file is kept in memory", () -> cache() > FILE * 0.8);
    long least = LIMIT;
    long most = 0;

    for (int reading = 0; reading < 40; reading++) {
      assertThat(server.waitFor(50, TimeUnit.MILLISECONDS)).isFalse();
      least = Math.min(least, cache());
      most = Math.max(most, group.use().keptBytes());
    }

    assertThat(least).isGreaterThan((long) (FILE * 0.7));
    assertThat(most).isLessThan(LIMIT / 4);
  }

  /** The server comes to need what was left, and more, and keeps it: the share is met by less. */
  @Test
  void theKernelEndsThePressureAndNotTheServer() throws IOException {
    Process server =
        start(
            "echo $$; read go; dd if=/dev/zero bs=24M count=1 iflag=fullblock | { head -c 1 >/dev/null; echo grown; sleep 1000; }");
    MemoryPressure pressure = pressure(0.95);
    pressure.begin();

    server.getOutputStream().write('\n');
    server.getOutputStream().flush();

    CompletableFuture<List<String>> said =
        CompletableFuture.supplyAsync(() -> server.inputReader().lines().limit(2).toList());
    assertThat(said).succeedsWithin(SOON).asInstanceOf(LIST).last().isEqualTo("grown");
    Map<String, String> facts = pressure.end();
    assertThat(Integer.parseInt(facts.get("endedByKernel"))).isBetween(1, 31);
    assertThat(host.signal(server, true, Signal.CONT)).isTrue();
  }

  /** The group of every second process ends it at once, as a kernel without memory would. */
  @Test
  void aPressureThatDoesNotReachItsShareIsRefusedWithTheFigures() {
    AtomicInteger asked = new AtomicInteger();
    MemoryPressure pressure =
        new MemoryPressure(
            "database1",
            host,
            work -> asked.incrementAndGet() % 2 == 0 ? List.of("true") : group.command(work),
            group.limitBytes(),
            group::use,
            0.5);

    assertThatThrownBy(pressure::begin)
        .isInstanceOf(TerraceException.class)
        .hasMessageMatching(
            "memory: of [0-9]+ bytes that were to be taken beside database1, [0-9]+ were when all had begun .*, and server and fault came to [0-9]+ of [0-9]+ bytes; .*");
    assertThat(pressure.end()).isEmpty();
    assertSoon("nothing is left", () -> group.use().keptBytes() < 4 * MEBIBYTE);
  }

  /** It needed what was taken only for a while, after which the fault was a smaller one. */
  @Test
  void aPressureThatLostItsShareBeforeItsEndFailsWithTheFigures() throws IOException {
    Process server =
        start(
            "read go; dd if=/dev/zero of=/dev/null bs=40M count=1 2>/dev/null; echo grown; sleep 1000");
    MemoryPressure pressure = pressure(0.95);
    pressure.begin();
    server.getOutputStream().write('\n');
    server.getOutputStream().flush();
    CompletableFuture<String> said =
        CompletableFuture.supplyAsync(() -> server.inputReader().lines().findFirst().orElse(""));
    assertThat(said).succeedsWithin(SOON).isEqualTo("grown");

    assertThatThrownBy(pressure::end)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("were at its end (");
    assertThat(host.signal(server, true, Signal.CONT)).isTrue();
  }

  @Test
  void aPressureOfFewBytesTakesAllOfThem() {
    MemoryPressure pressure = pressure(0.12);

    pressure.begin();

    assertThat(group.use().keptBytes()).isGreaterThan((long) (0.11 * LIMIT));
    assertThat(pressure.end()).containsEntry("processes", "1");
  }

  @Test
  void aServerThatHasAllOfItIsLeftAlone() throws IOException {
    Process server = start("dd if=/dev/zero bs=50M count=1 iflag=fullblock 2>/dev/null");
    assertSoon("the server has taken it", () -> group.use().keptBytes() > 50 * MEBIBYTE);
    MemoryPressure pressure = pressure(0.5);

    assertThatThrownBy(pressure::begin)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("leaves nothing to take up to a share of 0.5");
    assertThat(pressure.end()).isEmpty();
    assertThat(server.isAlive()).isTrue();
  }
}
