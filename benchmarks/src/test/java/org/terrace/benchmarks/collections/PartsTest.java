package org.terrace.benchmarks.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.benchmarks.BenchReport.Row;
import org.terrace.core.TimeSource;

@Tag("real-processes")
class PartsTest {
  private static final List<String> ENDLESS = List.of("tail", "-f", "/dev/null");

  /** The parts at which something hangs; the others come to no limit on a busy machine either. */
  private static final Set<Part> HANGING = EnumSet.of(Part.MIX, Part.SERVERS);

  @TempDir private Path folder;

  private final Results results = new Results();
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();
  private Processes processes;
  private Parts parts;

  @BeforeEach
  void prepare() {
    processes = new Processes(folder.resolve("log"));
    Progress progress =
        new Progress(
            new PrintStream(told, true, StandardCharsets.UTF_8),
            TimeSource.system(),
            List.of(new Progress.Step(Subject.REDIS, 1, 1, 1)));
    parts = new Parts(processes, results, progress, PartsTest::longest);
  }

  private static Duration longest(Part part) {
    return HANGING.contains(part) ? Duration.ofMillis(200) : Duration.ofSeconds(10);
  }

  private String skipped(Part part) {
    return String.valueOf(
        results.rows().stream()
            .filter(row -> row.metric().equals(part.metric()))
            .map(Row::skipped)
            .findFirst()
            .orElse(null));
  }

  /** Waits for a process as for a server that never answers. */
  private void hang() throws IOException {
    Process process = processes.start(ENDLESS, false);
    if (process.getInputStream().read() < 0) {
      throw new IOException("a process of the benchmark has ended");
    }
  }

  @Test
  void aServerThatHangsIsKilledAndItsPartSkipped() {
    boolean usable = parts.attempt(Subject.REDIS, Part.MIX, this::hang);

    assertThat(usable).isFalse();
    assertThat(skipped(Part.MIX)).startsWith("it took longer than");
    assertThat(told.toString(StandardCharsets.UTF_8)).contains("mix skipped");
  }

  @Test
  void whatTookTooLongIsNotTriedAgainAndTheRestGoesOn() {
    AtomicInteger tried = new AtomicInteger();
    parts.attempt(Subject.REDIS, Part.MIX, this::hang);

    parts.attempt(Subject.REDIS, Part.MIX, tried::incrementAndGet);
    boolean usable = parts.attempt(Subject.REDIS, Part.VISIBLE, tried::incrementAndGet);

    assertThat(tried).hasValue(1);
    assertThat(usable).isTrue();
  }

  @Test
  void whatFailsIsSkippedWithItsReasonAndTriedAgain() {
    AtomicInteger tried = new AtomicInteger();
    parts.attempt(
        Subject.REDIS,
        Part.VISIBLE,
        () -> {
          throw new IOException("the pool stalls");
        });

    parts.attempt(Subject.REDIS, Part.VISIBLE, tried::incrementAndGet);

    assertThat(skipped(Part.VISIBLE)).isEqualTo("the pool stalls");
    assertThat(tried).hasValue(1);
  }

  @Test
  void noServerStartsAfterTheEndOfItsPart() {
    AtomicInteger started = new AtomicInteger();
    parts.attempt(
        Subject.REDIS,
        Part.SERVERS,
        () -> {
          try {
            hang();
          } catch (IOException e) {
            processes.start(ENDLESS, false);
            started.incrementAndGet();
          }
        });

    assertThat(started).hasValue(0);
    assertThat(skipped(Part.SERVERS)).startsWith("it took longer than");
  }

  @Test
  void anInterruptEndsTheProcessesAndIsNoReasonToSkip() throws IOException {
    AtomicInteger tried = new AtomicInteger();
    Process process = processes.start(ENDLESS, false);
    parts.attempt(
        Subject.REDIS,
        Part.LATENCY,
        () -> {
          processes.interrupt();
          if (process.getInputStream().read() < 0) {
            throw new IOException("a process of the benchmark has ended");
          }
        });

    parts.attempt(Subject.REDIS, Part.VISIBLE, tried::incrementAndGet);

    assertThat(process.onExit().join().isAlive()).isFalse();
    assertThat(results.rows()).isEmpty();
    assertThat(tried).hasValue(0);
  }
}
