package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.core.TimeSource;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.observation.Event;
import org.terrace.testing.AccessibilityCheck;
import org.terrace.testing.Await;
import org.terrace.testing.Depth;
import org.terrace.testing.HeadlessChromium;
import org.terrace.testing.ManualTimeSource;

/** The dashboard in a browser. Pictures of it are left in {@code target/pictures}. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(300)
class DashboardBrowserTest {
  private static final int WIDE = 1400;
  private static final int HIGH = 900;
  private static final int NARROW = 400;
  private static final int SECONDS = 24;
  private static final long NANOS = 1_000_000_000L;
  private static final Path PICTURES = Path.of("target", "pictures");
  private static final Duration WITHIN = Duration.ofSeconds(20);

  @TempDir static Path folder;
  private static @Nullable HeadlessChromium chromium;
  private static @Nullable Dashboard dashboard;
  private static @Nullable ProgressFile running;

  @BeforeAll
  static void start() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    for (int repeat = 1; repeat <= 3; repeat++) {
      SampleResults.analysis(folder.resolve("before/" + repeat), 2_000 + repeat);
      SampleResults.analysis(folder.resolve("after/" + repeat), 2_600 + repeat);
    }
    SampleResults.capture(folder.resolve("before/1"));
    SampleResults.mesh(folder.resolve("scale-out"), SampleResults.mesh(2, 3, 4, 2));
    Path digits = SampleResults.mesh(folder.resolve("four-digits"), SampleResults.mesh(1, 1, 2, 1));
    Files.writeString(digits.resolve("prices.yaml"), SampleResults.PRICES_OF_FOUR_DIGITS);
    Path unfinished = Files.createDirectory(folder.resolve("quickstart.unfinished"));
    running = run(unfinished);
    dashboard = serve();
    chromium = HeadlessChromium.start(WIDE, HIGH);
    Files.createDirectories(PICTURES);
  }

  private static Dashboard serve() {
    return Dashboard.start(
        new DashboardOptions(folder, "127.0.0.1", 0, Optional.empty()), TimeSource.system());
  }

  /** A run of which half a minute is over. */
  private static ProgressFile run(Path directory) throws IOException {
    long created = Files.getLastModifiedTime(directory).to(TimeUnit.NANOSECONDS);
    ManualTimeSource time = new ManualTimeSource(created - SECONDS * NANOS);
    ProgressFile file =
        ProgressFile.begin(directory, "experiment", "quickstart", time, warning -> {});
    file.phase("running the load");
    for (int second = 0; second < SECONDS; second++) {
      boolean slow = second > 14 && second < 18;
      file.figures(
          second(40 * Math.min(25, second + 1), slow ? 310 : 480 + 13 * (second % 4), slow));
      time.advanceNanos(NANOS);
    }
    file.fault(
        new Event("app2", "fault-gc-pressure", created - 9 * NANOS, created - 5 * NANOS, Map.of()));
    file.message("limits calibrated: a core here takes 1.31 times the reference's time");
    return file;
  }

  private static String second(int users, int rate, boolean slow) {
    return "{\"second\":1,\"phase\":\"run\",\"users\":%d,\"requestsPerSecond\":%d,\"errors\":%d,\"p50Micros\":%d,\"p99Micros\":%d}"
        .formatted(
            users, rate, slow ? 7 : 0, slow ? 14_000 : 3_100, slow ? 330_000 : 21_000 + users);
  }

  @AfterAll
  static void stop() {
    if (chromium != null) {
      chromium.close();
    }
    if (dashboard != null) {
      dashboard.close();
    }
  }

  private static void open(String target) {
    chromium.open(URI.create(dashboard.address().replaceAll("/$", "") + target));
  }

  /** Waits until it holds; a page that is about to be replaced has no document for a moment. */
  private static boolean seen(String expression) {
    String notYet = "(() => { try { return " + expression + "; } catch { return false; } })()";
    return Await.until(WITHIN, () -> chromium.evaluate(notYet).booleanValue());
  }

  /** The pages by the names of their pictures. */
  private static final Map<String, String> PAGES =
      Map.of(
          "results", "/",
          "running", "/result/quickstart.unfinished",
          "result", "/result/before/1",
          "mesh", "/result/scale-out",
          "compare", "/compare?before=%2Fbefore&after=%2Fafter",
          "nothing", "/result/none");

  static Stream<String> pages() {
    return Stream.of("results", "running", "result", "mesh", "compare", "nothing")
        .limit(Depth.of(PAGES.size(), 1));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aPageIsReadInBothThemesAndInANarrowWindow(String name) throws IOException {
    String target = PAGES.get(name);
    int errors = chromium.errors().size();
    chromium.media("prefers-color-scheme", "light");
    look(target, name + "-light");
    chromium.media("prefers-color-scheme", "dark");
    chromium.resize(NARROW, 800);
    look(target, name + "-narrow-dark");
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").intValue())
        .as(name)
        .isLessThanOrEqualTo(NARROW);
    assertThat(AccessibilityCheck.violationsEverywhere(chromium, () -> load(target)))
        .as(name)
        .isEmpty();
    chromium.resize(WIDE, HIGH);
    assertThat(chromium.errors().stream().skip(errors))
        .allMatch(error -> name.equals("nothing") && error.contains("404"));
    assertThat(chromium.requests())
        .allMatch(url ->
            url.startsWith("http://127.0.0.1:")
                || url.equals("about:blank")
                || url.startsWith("data:"));
  }

  private static void load(String target) {
    open(target);
    assertThat(seen("document.documentElement.dataset.ready !== undefined")).isTrue();
  }

  /** Opens a page, and leaves its picture. */
  private static void look(String target, String picture) throws IOException {
    load(target);
    Files.write(PICTURES.resolve("dashboard-" + picture + ".png"), chromium.screenshot(true));
  }

  @Test
  @Tag("long")
  void resultsAreSearchedWhileOneTypesAndByTheKeyboardAlone() {
    open("/");
    assertThat(seen("document.documentElement.dataset.ready !== undefined")).isTrue();
    chromium.press("/");
    assertThat(chromium.evaluate("document.activeElement.id").asString()).isEqualTo("q");
    chromium.call("Input.insertText", Map.of("text", "after"));

    assertThat(seen("document.querySelectorAll('#rows tbody tr').length === 3")).isTrue();
    assertThat(chromium.evaluate("location.search").asString()).contains("q=after");
    assertThat(chromium.evaluate("document.activeElement.id").asString()).isEqualTo("q");
  }

  @Test
  @Tag("long")
  void twoTickedResultsAreCompared() {
    open("/?q=%2F1");
    assertThat(seen("document.documentElement.dataset.ready !== undefined")).isTrue();
    assertThat(chromium.evaluate("document.getElementById('compare').disabled").booleanValue())
        .isTrue();
    chromium.evaluate("document.querySelectorAll('input[name=pick]').forEach(box => box.click())");
    chromium.openBy(() -> chromium.evaluate("document.getElementById('compare').click()"));

    assertThat(chromium.evaluate("document.querySelector('h1').textContent").asString())
        .contains("The results cannot tell");
    assertThat(
            chromium
                .evaluate(
                    "[...document.querySelectorAll('.compared tbody tr')].map(row => row.cells[0].textContent.trim()).join()")
                .asString())
        .contains("app1 p50", "app1 p99", "app1 throughput", "app1 stalled", "app1 errors");
  }

  @Test
  void aSliderWorksOutAnotherPlanAndTheAddressKeepsIt() {
    open("/result/scale-out");
    assertThat(seen("document.documentElement.dataset.ready !== undefined")).isTrue();
    String before = chromium.evaluate("document.querySelector('#plan').textContent").asString();

    chromium.evaluate("document.querySelector('input[data-for=\"n-server.normal\"]').focus()");
    chromium.press("End");

    assertThat(seen("document.querySelector('[id=\"n-server.normal\"]').value === '12'")).isTrue();
    assertThat(
            seen("document.getElementById('worked-out').textContent.startsWith('worked out in')"))
        .isTrue();
    String after = chromium.evaluate("document.querySelector('#plan').textContent").asString();
    assertThat(after).isNotEqualTo(before).contains("changed by the sliders");
    assertThat(chromium.evaluate("location.search").asString()).contains("server.normal=12");
    chromium.call("Page.reload", Map.of());
    assertThat(seen("document.querySelector('#plan')?.textContent.length === " + after.length()))
        .isTrue();
    assertThat(chromium.evaluate("document.querySelector('#plan').textContent").asString())
        .isEqualTo(after);
  }

  @Test
  void movingOneSliderLeavesTheOtherPricesAsTheFileSays() {
    load("/result/four-digits");

    chromium.evaluate("document.querySelector('input[data-for=\"n-server.normal\"]').focus()");
    chromium.press("End");

    assertThat(seen("location.search.includes('server.normal=12.')")).isTrue();
    assertThat(chromium.evaluate("location.search").asString().substring(1).split("&"))
        .contains(
            "server.L=1.5049",
            "within.class-StoreStory=1049",
            "revenue.class-StoreStory=0.00010246",
            "penalty.class-StoreStory=0.00020493",
            "within.others=1000",
            "revenue.others=0.00004246",
            "penalty.others=0.00004249");
  }

  @Test
  void aRunIsFollowedWithoutTouchingAnything() {
    open("/result/quickstart.unfinished");
    assertThat(seen("Number(document.documentElement.dataset.seen) >= 1")).isTrue();
    running.figures(second(1_234, 470, false));

    assertThat(seen("document.querySelector('#live .figures').textContent.includes('1,234')"))
        .isTrue();
    assertThat(chromium.evaluate("document.querySelectorAll('#live svg.plot').length").intValue())
        .isEqualTo(2);
  }

  /** Or else what it shows would go on passing for the present. */
  @Test
  void aPageWhoseServerIsGoneSaysSo() {
    for (String page : List.of("/", "/result/quickstart.unfinished", "/result/four-digits")) {
      try (Dashboard gone = serve()) {
        chromium.open(URI.create(gone.address().replaceAll("/$", "") + page));
        assertThat(seen("document.getElementById('lost') !== null")).isTrue();
      }
      if (page.endsWith("digits")) {
        chromium.evaluate("document.querySelector('input[data-for=\"n-server.normal\"]').focus()");
        chromium.press("End");
      }

      assertThat(seen("document.body.textContent.includes('The server gives no answer.')"))
          .as(page)
          .isTrue();
    }
  }

  @Test
  @Tag("long")
  void theThemeIsThatOfThePageBefore() {
    chromium.media("prefers-color-scheme", "light");
    open("/");
    chromium.evaluate("document.getElementById('theme').click()");
    open("/compare");

    assertThat(chromium.evaluate("document.documentElement.dataset.theme").asString())
        .isEqualTo("dark");
    chromium.evaluate("localStorage.removeItem('terrace-theme')");
  }

  @Test
  @Tag("long")
  void whoShowsTheTokenSeesTheResultsAndNobodyElse() throws IOException {
    Path token =
        Files.writeString(folder.resolve("token"), "a-token-of-more-than-twenty-characters");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    try (Dashboard guarded =
        Dashboard.start(
            new DashboardOptions(folder, "127.0.0.1", 0, Optional.of(token)),
            TimeSource.system())) {
      chromium.media("prefers-color-scheme", "light");
      chromium.open(URI.create(guarded.address() + "result/before/1"));
      assertThat(heading()).isEqualTo("Sign in");
      Files.write(PICTURES.resolve("dashboard-sign-in.png"), chromium.screenshot(true));
      assertThat(
              AccessibilityCheck.violationsEverywhere(
                  chromium, () -> chromium.open(URI.create(guarded.address() + "result/before/1"))))
          .isEmpty();
      chromium.media("prefers-color-scheme", "light");
      chromium.resize(WIDE, HIGH);

      chromium.call("Input.insertText", Map.of("text", "a-token-of-more-than-twenty-characters"));
      chromium.evaluate("document.querySelector('form.sign-in button').click()");

      assertThat(
              seen("Boolean(document.querySelector('h1')?.textContent.startsWith('Results in'))"))
          .isTrue();
      assertThat(chromium.evaluate("document.cookie").asString()).isEmpty();
      chromium.open(URI.create(guarded.address() + "result/before/1"));
      assertThat(heading()).startsWith("app1 answered");
    }
  }

  private static String heading() {
    assertThat(seen("document.querySelector('h1') !== null")).isTrue();
    return chromium.evaluate("document.querySelector('h1').textContent").asString();
  }

  @Test
  void theReportRunsItsOwnScriptsBehindTheDashboard() {
    int errors = chromium.errors().size();
    open("/report/before/1");

    assertThat(seen("document.documentElement.dataset.ready !== undefined")).isTrue();
    assertThat(chromium.errors().stream().skip(errors)).isEmpty();
  }
}
