package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Observation;
import org.terrace.testing.Depth;
import org.terrace.testing.HeadlessChromium;

/** The map, the transactions and the ways to packets, as a browser shows them. */
@Tag("real-processes")
@Tag("untimed")
class TransactionBrowserTest {
  private static final int WIDE = 1400;
  private static final int NARROW = 390;
  private static final int HIGH = 900;

  @TempDir static Path directory;
  private static @Nullable HeadlessChromium chromium;
  private static @Nullable Path page;

  @BeforeAll
  static void openBrowser() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    Observation observation = SyntheticTrial.observation(1, Depth.of(40, 22), Depth.of(500, 100));
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
    chromium.resize(WIDE, HIGH);
    chromium.open(page.toUri());
  }

  @Test
  void aFilterIsCopiedOrMarkedToBeCopied() {
    chromium.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
    String copied =
        chromium
            .evaluate(
                "new Promise(done => { const button = document.querySelector('.filter .copy');"
                    + " const before = button.textContent; button.click();"
                    + " const look = () => button.textContent !== before ? done("
                    + " button.textContent === 'marked' ? getSelection().toString()"
                    + " : button.textContent) : requestAnimationFrame(look); look(); })")
            .asString();
    String filter =
        chromium.evaluate("document.querySelector('.filter code').textContent").asString();

    assertThat(filter).startsWith("frame.");
    assertThat(copied).isIn("copied", filter);
    assertThat(chromium.errors()).isEmpty();
  }

  @Test
  void aServerOfTheMapLeadsToItsLanes() {
    String spot =
        chromium
            .evaluate(
                "new Promise(done => { document.querySelector('#map a[href=\"#server=db1\"]')"
                    + ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));"
                    + " const look = () => { const spot = document.querySelector('.spot');"
                    + " spot ? done(spot.dataset.server) : requestAnimationFrame(look); };"
                    + " look(); })")
            .asString();

    assertThat(spot).isEqualTo("db1");
  }

  @Test
  @Tag("long")
  void theLabelsOfTheMapDoNotLieOverOneAnother() {
    assertThat(
            chromium
                .evaluate(
                    "(texts => texts.filter((a, i) => texts.some((b, j) => j > i && a.left <"
                        + " b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 <"
                        + " a.bottom)).length)([...document.querySelectorAll('#map svg"
                        + " text')].map(t => t.getBoundingClientRect()))")
                .intValue())
        .isZero();
  }

  @Test
  void theBarsOfAWaterfallLieWithinItsTimeAndBelowTheirCallers() {
    chromium.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
    assertThat(
            chromium
                .evaluate(
                    "[...document.querySelectorAll('.waterfall .span-bar')].filter(svg => { const"
                        + " cell = svg.getBoundingClientRect(); return"
                        + " [...svg.querySelectorAll('rect')].some(r => { const b ="
                        + " r.getBoundingClientRect(); return b.width <= 0 || b.left < cell.left -"
                        + " 1 || b.right > cell.right + 1; }) || cell.width < 150; }).length")
                .intValue())
        .isZero();
    assertThat(chromium.evaluate("document.querySelectorAll('.waterfall').length").intValue())
        .isGreaterThan(8);
  }

  @Test
  void aNarrowWindowShowsTheCallsAsATableAndScrollsOnlyTables() {
    chromium.resize(NARROW, HIGH);
    chromium.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");

    assertThat(
            chromium
                .evaluate("getComputedStyle(document.querySelector('.map')).display")
                .asString())
        .isEqualTo("none");
    assertThat(chromium.evaluate("document.querySelectorAll('#map tbody tr').length").intValue())
        .isEqualTo(5);
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").intValue())
        .isLessThanOrEqualTo(NARROW);
  }
}
