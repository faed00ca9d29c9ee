package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandardInputControlTest {
  /** Half a second of pressure may be little of a processor that others use. */
  private static final int STARVED_MAX = 20;

  @Test
  void pressureMakesTheCollectorWorkAndTellsWhen() {
    long before = collections();
    List<String> answers = answers("gc-pressure 0.5\n");
    for (int i = 0; i < STARVED_MAX && collections() == before; i++) {
      answers = answers("gc-pressure 0.5\n");
    }

    assertThat(collections()).isGreaterThan(before);
    assertThat(answers).hasSize(2);
    long start = Long.parseLong(answers.get(0).replace("gc-pressure start ", ""));
    long end = Long.parseLong(answers.get(1).replace("gc-pressure end ", ""));
    assertThat(end - start).isGreaterThanOrEqualTo(500_000_000L);
  }

  @Test
  void loadWorksOnEveryProcessorAndTellsWhen() {
    List<String> answers = answers("cpu 0.1\n");

    assertThat(answers).hasSize(2);
    long start = Long.parseLong(answers.get(0).replace("cpu start ", ""));
    long end = Long.parseLong(answers.get(1).replace("cpu end ", ""));
    assertThat(end - start).isGreaterThanOrEqualTo(90_000_000L);
  }

  @Test
  void linesThatAreNotUnderstoodAreReported() {
    assertThat(
            answers(
                "\nhello\ncpu 1 0.5\ngc-pressure 1 2\ngc-pressure\ngc-pressure 0\ngc-pressure -1\ncpu\ncpu 0\ngc-pressure 99999\n"))
        .containsExactly(
            "unknown hello",
            "unknown cpu 1 0.5",
            "unknown gc-pressure 1 2",
            "unknown gc-pressure",
            "unknown gc-pressure 0",
            "unknown gc-pressure -1",
            "unknown cpu",
            "unknown cpu 0",
            "unknown gc-pressure 99999");
  }

  private static List<String> answers(String input) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new StandardInputControl(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new LockConvoy())
        .run();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }
}
