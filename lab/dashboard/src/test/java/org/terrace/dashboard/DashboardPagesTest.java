package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.comparison.ComparableResults;
import org.terrace.dashboard.comparison.ComparedSides;
import org.terrace.dashboard.http.PageRequest;
import org.terrace.dashboard.http.PageRequest.MalformedRequestException;
import org.terrace.dashboard.pages.PriceForm;
import org.terrace.dashboard.planning.MeshPlanning;
import org.terrace.details.comparison.ComparedMetric;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.mesh.MeshFile;
import org.terrace.report.ReportWriter;
import org.terrace.report.ResultDirectory;
import org.terrace.report.plan.PlanPages;
import org.terrace.report.plan.PlannedMesh;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.economy.Prices;
import org.terrace.specification.PricesFile;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.packet.HostAddress;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.statistics.Counters;

/** The pages say what the commands say. */
@Tag("real-processes")
@Tag("untimed")
class DashboardPagesTest {
  @TempDir Path folder;
  private Dashboard dashboard;

  @BeforeEach
  void start() {
    dashboard =
        Dashboard.start(
            new DashboardOptions(folder, "127.0.0.1", 0, Optional.empty()), TimeSource.system());
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  private RawHttp.Answer get(String target) {
    return RawHttp.get(dashboard.port(), target);
  }

  @Test
  void aDirectoryWithoutResultsSaysHowToGetSome() {
    assertThat(get("/").text()).contains("There is no result yet", "terrace run");
  }

  @Test
  void everyResultIsListedWithItsStateAndFigures() throws IOException {
    SampleResults.analysis(folder.resolve("before/1"), 2_000);
    SampleResults.analysis(folder.resolve("a name/with blanks & more"), 2_000);
    SampleResults.mesh(folder.resolve("mesh"), SampleResults.mesh(1, 2, 3, 2));
    Path broken = Files.createDirectory(folder.resolve("broken"));
    Files.writeString(broken.resolve("findings.json"), "{\"format\": ");
    Files.writeString(folder.resolve("notes.txt"), "no result");

    String page = get("/").text();

    assertThat(page)
        .contains("4 results, of which 0 running, 3 complete, 1 failed")
        .contains(
            "href=\"/result/before/1\"", "href=\"/result/a%20name/with%20blanks%20%26%20more\"")
        .contains("12 of 12 done", "findings.json cannot be read")
        .doesNotContain("notes.txt");
    assertThat(get("/result/a%20name/with%20blanks%20%26%20more").status()).isEqualTo(200);
    assertThat(get("/rows?q=MESH").text())
        .contains("/result/mesh")
        .doesNotContain("/result/before");
    assertThat(get("/rows?state=failed").text()).contains("broken").doesNotContain("/result/mesh");
    assertThat(get("/rows?q=nothing+of+that").text()).contains("0 found");
  }

  @Test
  void manyResultsComeInPages() {
    Path first = SampleResults.analysis(folder.resolve("r/0"), 2_000);
    for (int i = 1; i < 120; i++) {
      copy(first.resolve("findings.json"), folder.resolve("r/" + i + "/findings.json"));
    }

    assertThat(get("/").text()).contains("1 to 100 of 120", "first=100");
    assertThat(get("/?first=100").text()).contains("101 to 120 of 120");
    assertThat(get("/?first=-5").status()).isEqualTo(200);
    assertThat(get("/?first=99999999999").status()).isEqualTo(200);
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to.getParent());
      Files.copy(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theReportIsByteForByteThatOfTheCommand() throws IOException {
    Path result = SampleResults.analysis(folder.resolve("one"), 2_000);
    ResultDirectory.render(result, AnalysisOptions.defaults());
    String written = Files.readString(result.resolve("report.html"));

    assertThat(get("/report/one").text()).isEqualTo(written);
    Files.delete(result.resolve("report.html"));
    assertThat(get("/report/one").text()).isEqualTo(written);
    Files.writeString(result.resolve("report.html"), "<html>of an older version</html>");
    assertThat(get("/report/one").text()).isEqualTo(written);
  }

  @Test
  void aComparisonHasTheValuesOfTheCommand() {
    for (int repeat = 1; repeat <= 3; repeat++) {
      SampleResults.analysis(folder.resolve("before/" + repeat), 2_000 + repeat);
      SampleResults.analysis(folder.resolve("slow/" + repeat), 2_600 + repeat);
    }
    ComparedSides command =
        ComparedSides.of(
            ComparableResults.read(folder.resolve("before").toString()),
            ComparableResults.read(folder.resolve("slow").toString()),
            5);

    String page = get("/compare?before=%2Fbefore&after=%2Fslow").text();
    String one = get("/compare?before=%2Fbefore%2F1&after=%2Fslow%2F1").text();

    assertThat(page).contains("slow is worse than before (3 results before, 3 after).");
    assertThat(command.comparison().metrics()).isNotEmpty();
    for (ComparedMetric row : command.comparison().metrics()) {
      String unit = row.metric().unit();
      assertThat(page)
          .contains(
              ">"
                  + row.metric().name()
                  + "</th><td class=\"n\">"
                  + ComparedSides.value(row.before(), unit)
                  + "</td><td class=\"n\">"
                  + ComparedSides.value(row.after(), unit)
                  + "</td><td class=\"n\">"
                  + ComparedSides.change(row)
                  + "</td><td>"
                  + ComparedSides.interval(row));
    }
    assertThat(one).contains("The results cannot tell", "none: one result");
    assertThat(get("/compare?before=%2Fbefore&after=%2Fslow&margin=40").text())
        .contains("slow is no worse than before");
    assertThat(get("/compare?before=%2Fbefore&after=%2Fslow&margin=0").text()).contains("margin");
  }

  @Test
  void twoTickedResultsAreComparedTheOlderFirst() throws IOException {
    SampleResults.analysis(folder.resolve("new"), 2_600);
    Path old = SampleResults.analysis(folder.resolve("old"), 2_000);
    Files.setLastModifiedTime(old.resolve("findings.json"), FileTime.fromMillis(1_000_000));

    assertThat(get("/compare?pick=%2Fnew&pick=%2Fold").text())
        .contains("value=\"/old\" selected=\"\">old,")
        .contains("value=\"/new\" selected=\"\">new,");
    assertThat(get("/compare?pick=%2Fnew").text()).contains("Tick two results; 1 were ticked");
  }

  @Test
  void ofTwoTickedResultsTheOneThatBeganEarlierIsBeforeWheneverItWasWritten() throws IOException {
    for (String name : List.of("first", "second")) {
      Path directory = SampleResults.analysis(folder.resolve(name), 2_000);
      ProgressFile.begin(directory, "experiment", name, TimeSource.system(), warning -> {}).end();
    }
    Files.setLastModifiedTime(
        folder.resolve("second/findings.json"), FileTime.fromMillis(1_000_000));

    String page = get("/compare?pick=%2Fsecond&pick=%2Ffirst").text();

    assertThat(page.indexOf("value=\"/first\" selected"))
        .as("the side before comes first on the page")
        .isBetween(1, page.indexOf("value=\"/second\" selected"));
  }

  @Test
  void resultsOfWhichNobodyKnowsWhatTheyRanAreNotCompared() throws IOException {
    for (String name : List.of("one", "two")) {
      Files.delete(SampleResults.analysis(folder.resolve(name), 2_000).resolve("facts.json"));
    }

    assertThat(get("/compare?before=%2Fone&after=%2Ftwo").text())
        .contains("These cannot be compared", "one has no facts.json", "two has no facts.json");
  }

  @Test
  void whatCannotBeComparedSaysWhyWithoutItsPlaceOnDisk() {
    SampleResults.analysis(folder.resolve("one"), 2_000);

    String page = get("/compare?before=%2Fone&after=%2Fnone").text();

    assertThat(page)
        .contains("These cannot be compared", "/none: there is no such result")
        .doesNotContain(folder.toString());
  }

  @Test
  void aMovedPriceIsThePlanOfTheCommandUnderThatPrice() throws IOException {
    Mesh mesh = SampleResults.mesh(2, 2, 4, 2);
    Path directory = SampleResults.mesh(folder.resolve("mesh"), mesh);
    Prices base = PricesFile.read(directory.resolve("prices.yaml"));
    Map<String, Double> servers = new LinkedHashMap<>(base.serverHour());
    servers.put("normal", 40.0);
    Prices dear =
        new Prices(
            base.currency(),
            servers,
            base.classes(),
            base.others(),
            base.day(),
            base.serverStart());
    MeshPlanning planning =
        MeshPlanning.of(MeshFile.readResults(directory.resolve("mesh.json")), directory);

    String same = get("/plan/mesh").text();
    String moved = get("/plan/mesh?server.normal=40").text();
    String page = get("/result/mesh").text();

    assertThat(same).isEqualTo(sections(planning, base, "prices.yaml"));
    assertThat(moved).isEqualTo(sections(planning, dear, "prices.yaml, changed by the sliders"));
    assertThat(moved).isNotEqualTo(same);
    assertThat(page).contains(same, "name=\"server.normal\"", "name=\"within.class-StoreStory\"");
    assertThat(page).contains("those that terrace plan --readings adds are in its plan.html");
    assertThat(get("/plan/mesh?server.normal=-1").status()).isEqualTo(422);
    assertThat(get("/plan/mesh?server.normal=NaN").status()).isEqualTo(422);
    assertThat(get("/plan/mesh?within.others=0").status()).isEqualTo(422);
    assertThat(get("/plan/mesh?revenue.others=1e300").status()).isEqualTo(422);
  }

  @Test
  void aFormSentAsItIsDrawnChangesNoPrice() throws IOException, MalformedRequestException {
    Path directory = SampleResults.mesh(folder.resolve("mesh"), SampleResults.mesh(2, 2, 4, 2));
    Files.writeString(directory.resolve("prices.yaml"), SampleResults.PRICES_OF_FOUR_DIGITS);
    Prices base = PricesFile.read(directory.resolve("prices.yaml"));
    String page = get("/result/mesh").text();
    StringBuilder query = new StringBuilder("/plan/mesh?");
    Matcher field = Pattern.compile("name=\"([^\"]+)\"[^>]* value=\"([^\"]+)\"").matcher(page);
    int fields = 0;
    while (field.find()) {
      query.append(field.group(1)).append('=').append(field.group(2)).append('&');
      fields++;
    }

    assertThat(fields).as("the prices, and the view that they are in").isEqualTo(9);
    assertThat(PriceForm.changed(base, PageRequest.of(false, URI.create(query.toString()))))
        .isEqualTo(base);
    assertThat(get(query.toString()).text()).isEqualTo(get("/plan/mesh").text());
  }

  private static String sections(MeshPlanning planning, Prices prices, String source) {
    PlannedMesh planned = planning.plan(prices, source, Path.of("mesh"));
    return ReportWriter.planSections(PlanPages.of(planned)).toString();
  }

  @Test
  void aThousandTrialsArePricedAgainWhileASliderMoves() throws IOException {
    SampleResults.mesh(folder.resolve("mesh"), SampleResults.mesh(3, 9, 13, 3));
    get("/result/mesh");
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      String timing = get("/plan/mesh?server.normal=" + (2 + i)).header("Server-Timing");
      millis.add(Double.parseDouble(timing.replaceAll(".*dur=", "")));
    }
    System.out.printf("1,053 trials priced again by the server, ms: %s%n", millis);

    assertThat(millis).allMatch(each -> each > 0);
  }

  @Test
  void aStallLeadsToItsPackets() throws IOException {
    Path result = SampleResults.analysis(folder.resolve("one"), 2_000);
    SampleResults.capture(result);
    String page = get("/result/one").text();
    Matcher link =
        Pattern.compile("href=\"(/packets/one\\?server=app1&amp;stall=\\d+)\"").matcher(page);
    assertThat(link.find()).isTrue();
    assertThat(page).contains("frame.time_epoch &gt;= 17953425");

    RawHttp.Answer cut = get(link.group(1).replace("&amp;", "&"));

    assertThat(cut.status()).isEqualTo(200);
    assertThat(cut.header("Content-Disposition")).contains("stall-app1-", ".pcapng");
    byte[] bytes = cut.body().getBytes(StandardCharsets.ISO_8859_1);
    PacketStream packets =
        new PacketStream(
            "cut", new ByteArrayInputStream(bytes), 16, new Counters(), new HostNames());
    PacketParser parser = new PacketParser();
    int count = 0;
    while (packets.next()) {
      count++;
      assertThat(packets.timeNanos())
          .isBetween(
              SampleResults.STALL_NANOS - 200_000_000L,
              SampleResults.STALL_END_NANOS + 200_000_000L);
      assertThat(
              parser.parse(
                  packets.bytes(),
                  packets.offset(),
                  packets.capturedBytes(),
                  packets.wireBytes(),
                  packets.linkType()))
          .isEqualTo(PacketParser.Kind.TCP);
      assertThat(
              List.of(
                  new HostAddress(parser.sourceHigh(), parser.sourceLow()).toString(),
                  new HostAddress(parser.destinationHigh(), parser.destinationLow()).toString()))
          .contains(SampleResults.ADDRESS);
    }
    assertThat(count).isBetween(200, 260);
    assertThat(get("/packets/one?server=app1&stall=9999").status()).isEqualTo(404);
    assertThat(get("/packets/one?server=app1&stall=-1").status()).isEqualTo(404);
    Files.delete(result.resolve("capture.pcapng"));
    assertThat(get("/packets/one?server=app1&stall=0").status()).isEqualTo(404);
  }

  @Test
  void filesAreTakenAwayAsTheyAre() throws IOException {
    Path result = SampleResults.analysis(folder.resolve("one"), 2_000);

    RawHttp.Answer file = get("/files/one?name=findings.json");

    assertThat(file.text()).isEqualTo(Files.readString(result.resolve("findings.json")));
    assertThat(file.header("Content-Disposition"))
        .isEqualTo("attachment; filename=\"one-findings.json\"");
    assertThat(
            RawHttp.ask(dashboard.port(), "HEAD", "/files/one?name=findings.json", "localhost", "")
                .body())
        .isEmpty();
  }

  @Test
  void aResultByItselfIsServedToo() throws IOException {
    Path result = SampleResults.analysis(folder.resolve("alone"), 2_000);
    try (Dashboard own =
        Dashboard.start(
            new DashboardOptions(result, "127.0.0.1", 0, Optional.empty()), TimeSource.system())) {
      assertThat(RawHttp.get(own.port(), "/").text()).contains("href=\"/result\">alone</a>");
      assertThat(RawHttp.get(own.port(), "/report").text())
          .isEqualTo(Files.readString(result.resolve("report.html")));
    }
  }
}
