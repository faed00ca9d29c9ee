package org.terrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real-processes")
class LoadBenchTest {
  @Test
  void theTinySiteServesTheBenchmarksUsers() throws Exception {
    Process bench =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    TinySite.class.getName(),
                    "127.16.1.3"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines = bench.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).matches("ready \\d+");
    } finally {
      bench.getOutputStream().close();
    }
    assertThat(bench.waitFor()).isZero();
  }
}
