package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorTicksTest {
  private static final String STAT =
      """
      cpu  1111 0 0 2222 0 0 0 0 0 0
      cpu0 1 2 3 4 5 6 7 8 9 10
      cpu1 10 0 0 20 0 0 0 0 0 0
      cpu2 100 0 0 200 0 0 0 0 0 0
      cpu10 1000 0 0 2000 0 0 0 0 0 0
      intr 12345 0 0
      """;

  @TempDir Path directory;

  private Optional<ProcessorTicks> read(String stat, String allowed) throws IOException {
    Path statFile = Files.writeString(directory.resolve("stat"), stat);
    Path status =
        Files.writeString(
            directory.resolve("status"),
            "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t" + allowed + "\n");
    return ProcessorTicks.read(statFile, status);
  }

  /** The others may be idle or busy: this process has no room on them. */
  @Test
  void theTimeOfTheProcessorsThatMayBeUsedAloneIsCounted() throws IOException {
    ProcessorTicks some = read(STAT, "1-2,10").orElseThrow();
    assertThat(some.processors().stream()).containsExactly(1, 2, 10);
    assertThat(some.ticks()).containsExactly(1_110, 0, 0, 2_220, 0, 0, 0, 0);

    ProcessorTicks one = read(STAT, "0").orElseThrow();
    assertThat(one.processors().stream()).containsExactly(0);
    assertThat(one.ticks()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void aProcessorThatIsOffIsNotCounted() throws IOException {
    assertThat(read(STAT, "0-255").orElseThrow().processors().stream())
        .containsExactly(0, 1, 2, 10);
  }

  @Test
  void whatIsNotUnderstoodTellsNothing() throws IOException {
    assertThat(read(STAT, "none")).isEmpty();
    assertThat(read(STAT, "0-99999999")).isEmpty();
    assertThat(read(STAT, "77")).isEmpty();
    assertThat(read("cpu 1 2\ncpux 1 2\n", "0")).isEmpty();
    assertThat(read("", "0")).isEmpty();
    assertThat(ProcessorTicks.read(directory.resolve("none"), directory.resolve("none"))).isEmpty();
  }
}
