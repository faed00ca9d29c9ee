package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.details.FindingDetails;
import org.terrace.details.StitchedObservation;
import org.terrace.observation.Exchange;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.observation.TraceContext;
import org.terrace.report.FindingsFile;
import org.terrace.report.ReportWriter;
import org.terrace.report.TrialFacts;
import org.terrace.testing.HeadlessChromium;
import org.terrace.testing.Seeds;

/** The report of a million transactions: small, and quick in a browser. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class MillionTransactionsTest {
  private static final int TRANSACTIONS = 1_000_000;
  private static final int CLASSES = 24;
  private static final long START = 1_790_000_000_000_000_000L;
  private static final int PAGE_BYTES_MAX = 3_000_000;
  private static final int FINDINGS_BYTES_MAX = 1_500_000;
  private static final int PAINT_MILLIS_MAX = 2_000;
  private static final int ZOOM_MILLIS_MAX = 500;
  private static final int ZOOMS = 7;

  /** Other programs may hold up one of them. */
  private static final int OPENINGS = 3;

  /** A page may be loaded before it was painted. */
  private static final String PAINTED_MILLIS =
      "new Promise(done => { const look = () => {"
          + " const [paint] = performance.getEntriesByName('first-contentful-paint');"
          + " paint ? done(Math.round(paint.startTime)) : requestAnimationFrame(look); };"
          + " look(); })";

  private static final String DRAWN_MILLIS = "Number(document.documentElement.dataset.ready)";

  @TempDir Path directory = Path.of("");

  @Test
  void aMillionTransactionsOpenAndZoomFluently() throws IOException {
    Assumptions.assumeTrue(
        HeadlessChromium.find().isPresent(), "no Chromium: apt-get install chromium");
    Observation observation = observation();
    StitchedObservation input = StitchedObservation.ofAnalysis(observation, new ArrayList<>());
    AnalysisResult result = Analysis.analyze(observation, AnalysisOptions.defaults());
    Findings findings =
        FindingDetails.added(
            result.findings().withInput(null, input.findings()),
            observation,
            result.stretch().startNanos(),
            result.stretch().endNanos());
    assertThat(findings.transactions().count()).isEqualTo(TRANSACTIONS);
    assertThat(findings.transactions().profiles()).hasSize(10);
    Path page = directory.resolve(ReportWriter.NAME);
    Path json = directory.resolve(FindingsFile.NAME);
    ReportWriter.write(
        result.withFindings(findings), TrialFacts.of("million", null, observation), page);
    FindingsFile.write(json, findings);

    try (HeadlessChromium chromium = HeadlessChromium.start(1400, 900)) {
      int paint = Integer.MAX_VALUE;
      int ready = Integer.MAX_VALUE;
      for (int opening = 0; opening < OPENINGS; opening++) {
        chromium.open(page.toUri());
        paint = Math.min(paint, chromium.evaluate(PAINTED_MILLIS).intValue());
        ready = Math.min(ready, chromium.evaluate(DRAWN_MILLIS).intValue());
      }
      int zoom = medianZoomMillis(chromium);
      System.out.printf(
          "%,d transactions, %,d requests: page of %,d bytes, findings of %,d bytes;"
              + " first paint after %d ms, drawn after %d, zoom in %d ms%n",
          TRANSACTIONS,
          observation.requests().size(),
          Files.size(page),
          Files.size(json),
          paint,
          ready,
          zoom);
      assertThat(Files.size(page)).isLessThan(PAGE_BYTES_MAX);
      assertThat(Files.size(json)).isLessThan(FINDINGS_BYTES_MAX);
      assertThat(paint).isLessThan(PAINT_MILLIS_MAX);
      assertThat(ready).isLessThan(PAINT_MILLIS_MAX);
      assertThat(zoom).isLessThan(ZOOM_MILLIS_MAX);
      assertThat(chromium.errors()).isEmpty();
    }
  }

  /** The median time from a click to the frame after it, of some zooms. */
  private static int medianZoomMillis(HeadlessChromium chromium) {
    int[] millis = new int[ZOOMS];
    for (int i = 0; i < ZOOMS; i++) {
      millis[i] =
          chromium
              .evaluate(
                  "new Promise(done => { const from = performance.now();"
                      + " document.querySelector('[data-do=in]').click();"
                      + " requestAnimationFrame(() => requestAnimationFrame(() =>"
                      + " done(Math.round(performance.now() - from)))); })")
              .intValue();
    }
    Arrays.sort(millis);
    return millis[ZOOMS / 2];
  }

  /** Pages of many classes, each with a call of an application and one of a database. */
  private static Observation observation() {
    RandomGenerator random = Seeds.generator(1);
    RequestTable.Builder requests = new RequestTable.Builder();
    long at = START;
    long span = 1;
    for (int i = 0; i < TRANSACTIONS; i++) {
      at += 100_000 + random.nextInt(800_000);
      String page = "GET /page-" + random.nextInt(CLASSES) + "?id={n}";
      long length = 2_000_000L + random.nextInt(20_000_000);
      String app = "app" + (1 + i % 4);
      long first = span++;
      requests.accept(request("web1", page, "users", at, length, first, first, 0));
      long second = span++;
      requests.accept(
          request(app, page, "web1", at + 100_000, length - 300_000, first, second, first));
      requests.accept(
          request(
              "db1",
              "select * from stories where id = ? and page = " + random.nextInt(200),
              app,
              at + 400_000,
              length / 2,
              first,
              span++,
              second));
    }
    return new Observation(
        List.of(
            new Server("web1", "web", List.of("10.0.0.1:80")),
            new Server("app1", "app", List.of("10.0.1.1:80")),
            new Server("app2", "app", List.of("10.0.1.2:80")),
            new Server("app3", "app", List.of("10.0.1.3:80")),
            new Server("app4", "app", List.of("10.0.1.4:80")),
            new Server("db1", "database", List.of("10.0.2.1:5432"))),
        requests.build(),
        List.of(),
        List.of());
  }

  private static Request request(
      String server,
      String requestClass,
      String client,
      long from,
      long length,
      long transaction,
      long span,
      long parent) {
    return new Request(
        server,
        requestClass,
        client,
        from,
        from,
        from + length,
        300,
        2_000,
        Outcome.OK,
        (int) (span % 200),
        new Exchange(Exchange.UNKNOWN, Exchange.UNKNOWN, 2 * span, 2 * span + 1),
        new TraceContext(
            transaction,
            span,
            parent == 0 ? TraceContext.NO_PARENT : parent,
            0.99,
            parent == 0 ? "entry" : "timing"));
  }
}
