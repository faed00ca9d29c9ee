package org.terrace.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.report.ReportWriter;
import org.terrace.testing.AccessibilityCheck;
import org.terrace.testing.HeadlessChromium;

/** The page of a plan in a browser. Pictures of it are left in {@code target/pictures}. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class PlanBrowserTest {
  private static final int WIDE = 1400;
  private static final int HIGH = 900;
  private static final int NARROW = 400;

  @TempDir Path directory;

  @Test
  void thePageIsReadInBothThemesAndInANarrowWindow() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    ReportWriter.writePlan(SyntheticMesh.planned(SyntheticMesh.mesh(3, 4, 5, 2)), directory);
    Path page = directory.resolve(ReportWriter.PLAN_NAME);
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    try (HeadlessChromium chromium = HeadlessChromium.start(WIDE, HIGH)) {
      for (String theme : List.of("light", "dark")) {
        chromium.media("prefers-color-scheme", theme);
        chromium.open(page.toUri());

        Files.write(pictures.resolve("plan-" + theme + ".png"), chromium.screenshot(true));
      }
      assertThat(chromium.evaluate("document.querySelectorAll('table.heat').length").intValue())
          .isEqualTo(2);
      assertThat(chromium.evaluate("document.querySelectorAll('svg.plot').length").intValue())
          .isEqualTo(4);
      chromium.resize(NARROW, 800);
      chromium.open(page.toUri());
      assertThat(chromium.evaluate("document.documentElement.scrollWidth").intValue())
          .isLessThanOrEqualTo(NARROW);
      Files.write(pictures.resolve("plan-narrow.png"), chromium.screenshot(true));
      assertThat(
              AccessibilityCheck.violationsEverywhere(chromium, () -> chromium.open(page.toUri())))
          .isEmpty();
      assertThat(chromium.errors()).isEmpty();
      assertThat(chromium.requests()).allMatch(url -> url.startsWith("file:"));
    }
  }
}
