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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.AccessibilityCheck;
import org.terrace.testing.HeadlessChromium;

/** The page of a study in a browser. Pictures of it are left in {@code target/pictures}. */
@Tag("real-processes")
@Tag("untimed")
class StudyBrowserTest {
  private static final int WIDE = 1400;
  private static final int HIGH = 900;
  private static final int NARROW = 400;

  @TempDir static Path directory;
  private static @Nullable HeadlessChromium chromium;
  private static @Nullable Path page;

  @BeforeAll
  static void openBrowser() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    page = directory.resolve("study.html");
    ReportWriter.writeStudy(SyntheticStudy.findings(), page);
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
  void thePageLoadsWithoutErrorsOrRequests() {
    assertThat(chromium.errors()).isEmpty();
    assertThat(chromium.requests()).allMatch(url -> url.startsWith("file:"));
    assertThat(chromium.evaluate("document.querySelectorAll('svg.plot').length").intValue())
        .isEqualTo(6);
    assertThat(chromium.evaluate("document.querySelectorAll('.ledger tbody tr').length").intValue())
        .isEqualTo(4);
  }

  @Test
  void theThemeFollowsTheButtonAndNoSingleKey() {
    String ground = "getComputedStyle(document.body).backgroundColor";
    String light = chromium.evaluate(ground).asString();
    chromium.press("t");
    assertThat(chromium.evaluate(ground).asString()).isEqualTo(light);
    chromium.evaluate("document.getElementById('theme').click()");
    String dark = chromium.evaluate(ground).asString();
    chromium.evaluate("document.getElementById('theme').click()");

    assertThat(dark).isNotEqualTo(light);
    assertThat(chromium.evaluate(ground).asString()).isEqualTo(light);
  }

  @Test
  @Tag("long")
  void nothingKeepsPeopleOut() {
    assertThat(AccessibilityCheck.violationsEverywhere(chromium, () -> chromium.open(page.toUri())))
        .isEmpty();
  }

  @Test
  void aNarrowWindowNeedsNoSidewaysScrolling() {
    chromium.resize(NARROW, 800);

    assertThat(chromium.evaluate("document.documentElement.scrollWidth").intValue())
        .isLessThanOrEqualTo(NARROW);
    assertThat(
            chromium
                .evaluate("getComputedStyle(document.querySelector('.ledger tr')).display")
                .asString())
        .isEqualTo("block");
  }

  /** Pictures for people to look at; a test sees only that something was painted without errors. */
  @Test
  @Tag("long")
  void picturesOfThePageInEveryMediumAreKept() throws IOException {
    Path target = Files.createDirectories(Path.of("target", "pictures"));
    keep(target.resolve("study-light.png"), chromium.screenshot(true));
    keep(target.resolve("study-print.pdf"), chromium.pdf());
    chromium.media("prefers-color-scheme", "dark");
    chromium.open(page.toUri());
    keep(target.resolve("study-dark.png"), chromium.screenshot(true));
    chromium.media("prefers-color-scheme", "light");
    chromium.resize(NARROW, 800);
    chromium.open(page.toUri());
    keep(target.resolve("study-narrow.png"), chromium.screenshot(true));

    assertThat(chromium.errors()).isEmpty();
  }

  private static void keep(Path file, byte[] picture) throws IOException {
    Files.write(file, picture);
    assertThat(picture.length).isGreaterThan(20_000);
  }
}
