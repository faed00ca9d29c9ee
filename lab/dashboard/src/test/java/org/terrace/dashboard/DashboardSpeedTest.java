package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;
import org.terrace.testing.HeadlessChromium;

/**
 * The time to the first paint with 1,000 results and a mesh of 1,053 trials. The times are printed,
 * and judged by nobody: other programs share the machine.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(300)
@Tag("long")
class DashboardSpeedTest {
  private static final int RESULTS = 1_000;
  private static final int REPEATS = 5;

  @TempDir static Path folder;

  @BeforeAll
  static void make() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    Path first = SampleResults.analysis(folder.resolve("results/0"), 2_000);
    for (int i = 1; i < RESULTS; i++) {
      Path copy = Files.createDirectory(folder.resolve("results/" + i));
      Files.copy(first.resolve("findings.json"), copy.resolve("findings.json"));
    }
    SampleResults.mesh(folder.resolve("mesh"), SampleResults.mesh(3, 9, 13, 3));
  }

  @Test
  void theFirstPaintIsMeasured() throws IOException {
    try (HeadlessChromium chromium = HeadlessChromium.start(1_400, 900)) {
      for (int repeat = 0; repeat < REPEATS; repeat++) {
        try (Dashboard dashboard =
            Dashboard.start(
                new DashboardOptions(folder, "127.0.0.1", 0, Optional.empty()),
                TimeSource.system())) {
          String root = dashboard.address().replaceAll("/$", "");
          double fresh = paint(chromium, root + "/");
          double mesh = paint(chromium, root + "/result/mesh");
          double list = paint(chromium, root + "/");
          double again = paint(chromium, root + "/result/mesh");
          System.out.printf(
              "%d results, 1,053 trials: first paint of the list %.0f ms just after the start and"
                  + " %.0f ms later, of the mesh %.0f ms and %.0f ms%n",
              RESULTS, fresh, list, mesh, again);

          assertThat(
                  chromium
                      .evaluate("document.querySelectorAll('#trials tbody tr').length")
                      .intValue())
              .isEqualTo(1_053);
        }
      }
    }
  }

  private static double paint(HeadlessChromium chromium, String address) {
    chromium.open(URI.create(address));
    String entry = "performance.getEntriesByName('first-contentful-paint')[0]";
    assertThat(
            Await.until(
                Duration.ofSeconds(30),
                () -> chromium.evaluate(entry + " !== undefined").booleanValue()))
        .isTrue();
    return chromium.evaluate(entry + ".startTime").doubleValue();
  }
}
