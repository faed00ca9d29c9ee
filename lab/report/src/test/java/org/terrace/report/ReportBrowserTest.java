package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Observation;
import org.terrace.testing.HeadlessChromium;

/** The page as a browser shows it. {@code -Dterrace.pictures=DIR} keeps pictures of it. */
class ReportBrowserTest {
  private static final int WIDE = 1400;
  private static final int HIGH = 900;

  @TempDir static Path directory;
  private static @Nullable HeadlessChromium chromium;
  private static @Nullable Path page;

  @BeforeAll
  static void openBrowser() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    Observation observation = SyntheticTrial.observation(1, 40, 500);
    page = directory.resolve("report.html");
    ReportWriter.write(
        SyntheticTrial.analyse(observation, true), SyntheticTrial.facts(observation), page);
    chromium = HeadlessChromium.start(WIDE, HIGH);
  }

  @AfterAll
  static void closeBrowser() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void openPage() {
    chromium.media("prefers-color-scheme", "light");
    chromium.resize(WIDE, HIGH);
    chromium.open(page.toUri());
  }

  @Test
  void picturesOfThePage() throws IOException {
    String pictures = System.getProperty("terrace.pictures");
    Assumptions.assumeTrue(pictures != null, "pictures are taken with -Dterrace.pictures=DIR");
    Path target = Files.createDirectories(Path.of(pictures));
    Files.copy(
        page, target.resolve("report.html"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Files.write(target.resolve("light.png"), chromium.screenshot(true));
    Files.write(target.resolve("print.pdf"), chromium.pdf());
    chromium.evaluate("document.querySelectorAll('.jump')[0].click()");
    chromium.evaluate("new Promise(done => setTimeout(done, 400))");
    Files.write(target.resolve("zoomed.png"), chromium.screenshot(false));
    chromium.media("prefers-color-scheme", "dark");
    chromium.open(page.toUri());
    Files.write(target.resolve("dark.png"), chromium.screenshot(true));
    chromium.media("prefers-color-scheme", "light");
    chromium.resize(400, 800);
    chromium.open(page.toUri());
    Files.write(target.resolve("narrow.png"), chromium.screenshot(true));
    assertThat(chromium.errors()).isEmpty();
  }
}
