package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Observation;
import org.terrace.testing.AccessibilityCheck;
import org.terrace.testing.Depth;
import org.terrace.testing.HeadlessChromium;

/** The page as a browser shows it. Pictures of it are left in {@code target/pictures}. */
@Tag("real-processes")
@Tag("untimed")
class ReportBrowserTest {
  private static final int WIDE = 1400;
  private static final int HIGH = 900;

  /** A loop of so many steps that its time tells how fast the machine is at the moment. */
  private static final String FLOOR =
      "(() => { const from = performance.now(); let x = 1;"
          + " for (let i = 0; i < 1e8; i++) { x = (Math.imul(x, 31) + i) | 0; }"
          + " return Math.round(performance.now() - from) + (x === 0.5 ? 1 : 0); })()";

  /** Two seconds where the loop takes half of one. */
  private static final int FLOORS_MAX = 4;

  private static final String WHERE = "document.getElementById('where').textContent";

  /**
   * Rows of each table, from its beginning, that are looked at: the others are of the same make.
   */
  private static final int ROWS_LOOKED_AT = Depth.of(100_000, 4);

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
    chromium.media("prefers-color-scheme", "light");
    chromium.resize(WIDE, HIGH);
    chromium.open(page.toUri());
  }

  @Test
  void thePageLoadsWithoutErrorsOrRequestsAndDrawsItsTimeline() {
    assertThat(chromium.errors()).isEmpty();
    assertThat(chromium.requests()).allMatch(url -> url.startsWith("file:"));
    assertThat(chromium.evaluate("document.querySelectorAll('canvas').length").intValue())
        .isGreaterThan(12);
    assertThat(painted("[data-lane='2'] canvas")).isGreaterThan(500);
  }

  @Test
  void arrowKeysMoveOneCursorOverAllCharts() {
    chromium.evaluate("document.getElementById('timeline').focus()");
    chromium.press("ArrowRight");
    double first = cursor();
    chromium.press("ArrowRight");
    double second = cursor();
    chromium.press("ArrowLeft");

    assertThat(second).isGreaterThan(first);
    assertThat(cursor()).isEqualTo(first);
    assertThat(frame("document.getElementById('timeline').dataset.cursor").asString()).isNotEmpty();
  }

  @Test
  void nGoesToTheNextStallAndEscapeShowsAll() {
    chromium.evaluate("document.getElementById('timeline').focus()");
    chromium.press("n");
    assertThat(chromium.evaluate("document.getElementById('where').textContent").asString())
        .contains(" s to ");
    assertThat(cursor()).isPositive();
    chromium.press("Escape");
    assertThat(chromium.evaluate("document.getElementById('where').textContent").asString())
        .isEmpty();
  }

  @Test
  @Tag("long")
  void draggingOverAChartZoomsAllOfThem() {
    chromium.evaluate("document.getElementById('time').scrollIntoView({behavior: 'instant'})");
    String box =
        "(r => [r.x, r.y, r.width])(document.querySelector(\"[data-lane='0']"
            + " canvas\").getBoundingClientRect())";
    double x = chromium.evaluate(box).path(0).doubleValue();
    double y = chromium.evaluate(box).path(1).doubleValue() + 30;
    chromium.drag(x + 300, y, x + 500, y);

    assertThat(chromium.evaluate("document.getElementById('where').textContent").asString())
        .contains(" s to ");
  }

  @Test
  void theAddressKeepsWhatIsShown() {
    chromium.evaluate("document.getElementById('timeline').focus()");
    chromium.press("n");
    String where = chromium.evaluate(WHERE).asString();
    box("web1", false);
    chromium.evaluate(
        "(s => { s.value = 'linear'; s.dispatchEvent(new Event('change')) })"
            + "(document.getElementById('scale'))");
    String address = addressWith("linear");

    chromium.open(java.net.URI.create("about:blank"));
    chromium.open(java.net.URI.create(address));

    assertThat(address).contains("#t=", "hide=web1", "scale=linear");
    assertThat(chromium.evaluate(WHERE).asString()).isEqualTo(where).contains(" s to ");
    assertThat(shown()).containsExactly("app1", "app2", "db1");
    assertThat(chromium.evaluate("document.getElementById('scale').value").asString())
        .isEqualTo("linear");
  }

  @Test
  @Tag("long")
  void anAddressThatNobodyMadeShowsAll() {
    for (String fragment : List.of("#t=9-3", "#t=x&hide=nobody&server=%00", "#t=-5-1e9&scale=")) {
      chromium.open(java.net.URI.create("about:blank"));
      chromium.open(java.net.URI.create(page.toUri() + fragment));

      assertThat(chromium.evaluate(WHERE).asString()).as(fragment).isEmpty();
      assertThat(shown()).as(fragment).hasSize(4);
    }
    assertThat(chromium.errors()).isEmpty();
  }

  /** A slow page writes what was chosen into the address after a link was followed. */
  @Test
  @Tag("long")
  void whatIsWrittenIntoTheAddressMeanwhileLosesNoLink() {
    box("app1", false);
    chromium.evaluate(
        "history.replaceState(null, '', '#hide=app1');"
            + "dispatchEvent(new HashChangeEvent('hashchange',"
            + " {newURL: location.href.replace(/#.*$/, '') + '#server=app1'}))");

    assertThat(spot()).isEqualTo("app1");
    assertThat(shown()).contains("app1");
  }

  @Test
  void anEpisodeLeadsToItsServerAndItsTime() {
    box("app1", false);
    String link =
        "[...document.querySelectorAll('.episode-head')].find(e => "
            + "e.textContent.startsWith('app1')).querySelector('.jump')";
    chromium.evaluate(link + ".click()");

    assertThat(spot()).isEqualTo("app1");
    assertThat(shown()).as("a server that was hidden is shown again").contains("app1");
    assertThat(chromium.evaluate(WHERE).asString()).contains(" s to ");
    assertThat(chromium.evaluate("document.activeElement.id").asString()).isEqualTo("timeline");
  }

  @Test
  void oneServerIsAClickAway() {
    chromium.evaluate("document.querySelector(\"[data-only='db1']\").click()");
    assertThat(shown()).containsExactly("db1");
    chromium.evaluate("document.querySelector(\"[data-only='db1']\").click()");
    assertThat(shown()).hasSize(4);
  }

  @Test
  void theScaleOfALaneIsSaidBesideIt() {
    String said = "[...document.querySelectorAll('.scale')].map(s => s.textContent).join('|')";
    chromium.evaluate(
        "(s => { s.value = 'log'; s.dispatchEvent(new Event('change')) })"
            + "(document.getElementById('scale'))");
    assertThat(chromium.evaluate(said).asString()).matches("(, log scale\\|?)+");
    chromium.evaluate(
        "(s => { s.value = 'linear'; s.dispatchEvent(new Event('change')) })"
            + "(document.getElementById('scale'))");
    assertThat(chromium.evaluate(said).asString()).matches("\\|+");
  }

  /** In both themes, wide and narrow, with everything unfolded. */
  @Test
  void nothingKeepsPeopleOut() {
    Observation observation = SyntheticTrial.observation(1, 22, 100);
    Path small = directory.resolve("small.html");
    ReportWriter.write(
        SyntheticTrial.analyse(observation, false), SyntheticTrial.facts(observation), small);

    assertThat(
            AccessibilityCheck.violationsEverywhere(
                chromium,
                () -> {
                  chromium.open(small.toUri());
                  chromium.evaluate(
                      "document.querySelectorAll('details').forEach(d => d.open = true);"
                          + "document.querySelectorAll('tbody').forEach(t =>"
                          + " [...t.rows].slice(%d).forEach(r => r.remove()))"
                              .formatted(ROWS_LOOKED_AT));
                }))
        .isEmpty();
    chromium.evaluate(
        "document.querySelector('.lead').style.color = '#2a2a2a';"
            + "document.querySelector('main').append(document.createElement('button'))");
    assertThat(AccessibilityCheck.violations(chromium, ".lead, main > button"))
        .as("what is planted is found")
        .anyMatch(each -> each.startsWith("color-contrast"))
        .anyMatch(each -> each.startsWith("button-name"));
  }

  @Test
  void printHasNoControlsAndNoCutText() {
    chromium.call("Emulation.setEmulatedMedia", java.util.Map.of("media", "print"));
    try {
      assertThat(
              frame(
                      "[...document.querySelectorAll('button, input, select, canvas')]"
                          + ".filter(e => e.getClientRects().length > 0).length")
                  .intValue())
          .isZero();
      assertThat(
              chromium
                  .evaluate(
                      "[...document.querySelectorAll('pre, .table')].filter(e =>"
                          + " e.scrollWidth > e.clientWidth + 1).length")
                  .intValue())
          .isZero();
    } finally {
      chromium.call("Emulation.setEmulatedMedia", java.util.Map.of("media", ""));
    }
  }

  @Test
  void theThemeFollowsTheSystemAndTheButton() {
    String ground = "getComputedStyle(document.body).backgroundColor";
    String light = chromium.evaluate(ground).asString();
    chromium.media("prefers-color-scheme", "dark");
    String dark = chromium.evaluate(ground).asString();
    chromium.evaluate("document.getElementById('theme').click()");

    assertThat(dark).isNotEqualTo(light);
    assertThat(chromium.evaluate(ground).asString()).isEqualTo(light);
  }

  @Test
  @Tag("long")
  void aNarrowWindowNeedsNoSidewaysScrolling() {
    chromium.resize(400, 800);

    assertThat(frame("document.documentElement.scrollWidth").intValue()).isLessThanOrEqualTo(400);
  }

  @Test
  @Tag("long")
  void aMillionRequestsOpenSoon() {
    Observation observation = SyntheticTrial.observation(2, 360, 530);
    assertThat(observation.requests().size()).isGreaterThan(1_000_000);
    Path large = directory.resolve("large.html");
    ReportWriter.write(
        SyntheticTrial.analyse(observation, true), SyntheticTrial.facts(observation), large);

    int before = chromium.evaluate(FLOOR).intValue();
    chromium.open(large.toUri());

    int ready = chromium.evaluate("Number(document.documentElement.dataset.ready)").intValue();
    int floor = Math.max(before, chromium.evaluate(FLOOR).intValue());
    System.out.printf(
        "%,d requests: page of %,d bytes, drawn after %d ms; so many steps of a loop in %d ms%n",
        observation.requests().size(), large.toFile().length(), ready, floor);
    assertThat(large.toFile().length()).isLessThan(3_000_000);
    assertThat(ready).isLessThan(FLOORS_MAX * floor);
    assertThat(chromium.errors()).isEmpty();
  }

  /** The pixels of a canvas that are not transparent. */
  private static int painted(String canvas) {
    return chromium
        .evaluate(
            "(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data"
                + ".filter((v, i) => i % 4 === 3 && v > 0).length)(document.querySelector(\""
                + canvas
                + "\"))")
        .intValue();
  }

  private static void box(String server, boolean checked) {
    chromium.evaluate(
        "(b => { b.checked = "
            + checked
            + "; b.dispatchEvent(new Event('change')) })(document.querySelector(\"[data-shows='"
            + server
            + "']\"))");
  }

  /** The servers that are not hidden. */
  private static List<String> shown() {
    return List.of(
        chromium
            .evaluate(
                "[...document.querySelectorAll('.server[data-server]')].filter(b => !b.hidden"
                    + " && b.dataset.server).map(b => b.dataset.server).join(' ')")
            .asString()
            .split(" "));
  }

  /** The address once it holds some text. */
  private static String addressWith(String part) {
    return chromium
        .evaluate(
            "new Promise(done => { const look = () => location.hash.includes('"
                + part
                + "') ? done(location.href) : requestAnimationFrame(look); look(); })")
        .asString();
  }

  /** The server that is marked, once one is. */
  private static String spot() {
    return chromium
        .evaluate(
            "new Promise(done => { const look = () => { const spot ="
                + " document.querySelector('.spot'); spot ? done(spot.dataset.server) :"
                + " requestAnimationFrame(look); }; look(); })")
        .asString();
  }

  private static double cursor() {
    return chromium
        .evaluate("Number(document.getElementById('timeline').dataset.cursor)")
        .doubleValue();
  }

  /** The value of an expression once the next picture has been drawn. */
  private static tools.jackson.databind.JsonNode frame(String expression) {
    return chromium.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done("
            + expression
            + "))))");
  }

  /** Pictures for people to look at; a test sees only that something was painted without errors. */
  @Test
  @Tag("long")
  void picturesOfThePageInEveryMediumAreKept() throws IOException {
    Path target = Files.createDirectories(Path.of("target", "pictures"));
    keep(target.resolve("light.png"), chromium.screenshot(true));
    keep(target.resolve("print.pdf"), chromium.pdf());
    chromium.evaluate("document.documentElement.style.scrollBehavior = 'auto'");
    chromium.evaluate("document.querySelectorAll('.jump')[0].click()");
    frame("0");
    keep(target.resolve("zoomed.png"), chromium.screenshot(false));
    chromium.media("prefers-color-scheme", "dark");
    chromium.open(page.toUri());
    keep(target.resolve("dark.png"), chromium.screenshot(true));
    chromium.media("prefers-color-scheme", "light");
    chromium.resize(400, 800);
    chromium.open(page.toUri());
    keep(target.resolve("narrow.png"), chromium.screenshot(true));

    assertThat(chromium.errors()).isEmpty();
  }

  @Test
  void anInvalidTrialIsLoud() throws IOException {
    Observation observation = SyntheticTrial.observation(3, 12, 200);
    Path invalid = directory.resolve("invalid.html");
    ReportWriter.write(
        SyntheticTrial.analyse(observation, false), SyntheticTrial.facts(observation), invalid);

    chromium.open(invalid.toUri());
    keep(
        Files.createDirectories(Path.of("target", "pictures")).resolve("invalid.png"),
        chromium.screenshot(false));

    assertThat(
            chromium
                .evaluate("document.querySelector('.alarm').getBoundingClientRect().bottom")
                .doubleValue())
        .isLessThan(
            chromium
                .evaluate("document.querySelector('h1').getBoundingClientRect().top")
                .doubleValue());
  }

  private static void keep(Path file, byte[] picture) throws IOException {
    Files.write(file, picture);
    assertThat(picture.length).isGreaterThan(20_000);
  }
}
