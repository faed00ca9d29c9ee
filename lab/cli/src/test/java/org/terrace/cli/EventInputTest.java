package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.cli.input.EventInput;
import org.terrace.core.TerraceException;
import org.terrace.details.CauseRanking;
import org.terrace.observation.Event;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.report.FindingsFile;

class EventInputTest {
  private static final long START_MILLIS = 1_795_342_500_000L;
  private static final int SECONDS = 30;
  private static final int PAUSE_MILLIS = 60;
  private static final int PAUSE_AT_MILLIS = 400;

  @TempDir Path directory;

  @Test
  void aNodeStandsBeforeTheFile() {
    assertThat(EventInput.parse("app1=logs/a=b.log"))
        .isEqualTo(new EventInput("app1", Path.of("logs/a=b.log")));
    assertThat(EventInput.parse("./a=b.csv")).isEqualTo(new EventInput(null, Path.of("./a=b.csv")));
    assertThat(EventInput.parse("events.csv"))
        .isEqualTo(new EventInput(null, Path.of("events.csv")));
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    Path log = Files.writeString(directory.resolve("pauses.log"), pauses());

    assertThatThrownBy(
            () -> EventInput.readAll(List.of(EventInput.parse("nothing.csv")), null, "instance"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("no file nothing.csv");
    assertThatThrownBy(
            () -> EventInput.readAll(List.of(EventInput.parse(log.toString())), null, "instance"))
        .hasMessageContaining("--events app1=" + log);
    assertThat(
            EventInput.strangers(
                List.of(new Event("app9", "deploy", 1, 2, Map.of())),
                List.of(new Server("app1", "app", List.of()))))
        .singleElement()
        .asString()
        .contains("no server is called 'app9'", "there are app1");
  }

  /** A server that pauses once a second, and the log of its JVM, beside a table of requests. */
  @Test
  void aJvmsLogExplainsTheStallsOfATableOfRequests() throws IOException {
    Path table = directory.resolve("requests.csv");
    Path log = directory.resolve("pauses.log");
    Files.writeString(table, requests());
    Files.writeString(log, pauses());
    Path out = directory.resolve("out");

    int exitCode =
        Terrace.commandLine()
            .execute(
                "analyze",
                table.toString(),
                "--events",
                "app1=" + log,
                "--events",
                "app9=" + log,
                "--out",
                out.toString(),
                "--quiet");

    assertThat(exitCode).isZero();
    Findings findings = FindingsFile.read(out.resolve("findings.json"));
    assertThat(findings.warnings()).singleElement().asString().contains("'app9'");
    assertThat(findings.servers().getFirst().stalls())
        .hasSizeGreaterThan(SECONDS / 2)
        .allSatisfy(stall ->
            assertThat(stall.causes())
                .anyMatch(cause -> cause.kind().equals("gc-pause") && cause.node().equals("app1")));
  }

  /** The same stalls, told by a database that let a statement wait for a row in each of them. */
  @Test
  void aDatabasesLogExplainsTheStallsOfATableOfRequests() throws IOException {
    Path table = directory.resolve("requests.csv");
    Path log = directory.resolve("postgresql.log");
    Files.writeString(table, requests());
    Files.writeString(log, waits());
    Path out = directory.resolve("out");

    int exitCode =
        Terrace.commandLine()
            .execute(
                "analyze",
                table.toString(),
                "--events",
                "app1=" + log,
                "--out",
                out.toString(),
                "--quiet");

    assertThat(exitCode).isZero();
    CauseRanking ranking =
        CauseRanking.of(FindingsFile.read(out.resolve("findings.json"))).getFirst();
    assertThat(ranking.causes())
        .singleElement()
        .satisfies(cause -> {
          assertThat(cause.kind()).isEqualTo("lock-wait");
          assertThat(cause.stalls()).isGreaterThan(SECONDS / 2);
        });
    assertThat(ranking.unexplainedShare()).isLessThan(0.2);
  }

  /** Readings that Prometheus keeps of a server's address become the server's. */
  @Test
  void anAnswerOfPrometheusIsReadAsReadingsOfTheServers() throws IOException {
    Path table = directory.resolve("requests.csv");
    Path answer = directory.resolve("cpu-utilisation.json");
    Files.writeString(table, requests());
    Files.writeString(answer, readings(START_MILLIS / 1_000));
    Path out = directory.resolve("out");

    assertThat(analyze(table, answer, out)).isZero();

    assertThat(FindingsFile.read(out.resolve("findings.json")).warnings())
        .singleElement()
        .asString()
        .contains("'elsewhere:9100'", "there are app1");
    assertThat(ObservationFiles.readSamples(out.resolve(ObservationFiles.SAMPLES)))
        .filteredOn(sample -> sample.node().equals("app1"))
        .hasSize(SECONDS)
        .allMatch(sample -> sample.resource().equals("cpu-utilisation"))
        .first()
        .isEqualTo(new Sample("app1", "cpu-utilisation", START_MILLIS * 1_000_000, 0.25));
    assertThat(Files.readString(out.resolve("report.html"))).contains("CPU in use", "jvm_threads");
  }

  @Test
  void readingsOfAnotherTimeAreSaid() throws IOException {
    Path table = directory.resolve("requests.csv");
    Path answer = directory.resolve("cpu-utilisation.json");
    Files.writeString(table, requests());
    Files.writeString(answer, readings(START_MILLIS / 1_000 - 7_200));
    Path out = directory.resolve("out");

    assertThat(analyze(table, answer, out)).isZero();

    assertThat(FindingsFile.read(out.resolve("findings.json")).warnings())
        .anySatisfy(
            warning -> assertThat(warning).contains("no reading is of the time of the requests"));
  }

  /** Series without names have those of their files, which may be equal in two directories. */
  @Test
  void readingsOfTwoFilesThatHaveOneNameAreSaid() throws IOException {
    Path one = Files.createDirectory(directory.resolve("a")).resolve("rate.json");
    Path other = Files.createDirectory(directory.resolve("b")).resolve("rate.json");
    Files.writeString(one, readings(START_MILLIS / 1_000));
    Files.writeString(other, readings(START_MILLIS / 1_000));
    List<EventInput> both = List.of(new EventInput(null, one), new EventInput(null, other));

    assertThat(EventInput.readAll(both, null, "instance").notes())
        .singleElement()
        .asString()
        .contains("--events " + other, "'rate' of app1:9100", one.toString());
    assertThat(EventInput.readAll(both.subList(0, 1), null, "instance").notes()).isEmpty();
  }

  @Test
  void ofManyResourcesOurOwnAreDrawnFirstAndThoseThatAreNotAreCounted() throws IOException {
    Path table = directory.resolve("requests.csv");
    Path answer = directory.resolve("cpu-utilisation.json");
    Files.writeString(table, requests());
    String readings = readings(START_MILLIS / 1_000);
    String own = readings.substring(readings.indexOf("{\"metric\""), readings.lastIndexOf(",{"));
    StringBuilder others = new StringBuilder();
    for (int each = 0; each <= 40; each++) {
      others.append(
          own.replace("\"instance\"", "\"__name__\":\"a_%02d\",\"instance\"".formatted(each)));
      others.append(',');
    }
    Files.writeString(answer, readings.replace(own, others + own));
    Path out = directory.resolve("out");

    assertThat(analyze(table, answer, out)).isZero();

    assertThat(Files.readString(out.resolve("report.html")))
        .contains("<figcaption>CPU</figcaption>", "<figcaption>a_38</figcaption>")
        .contains("2 more resources are not drawn")
        .doesNotContain("<figcaption>a_39</figcaption>");
  }

  private static int analyze(Path table, Path evidence, Path out) {
    return Terrace.commandLine()
        .execute(
            "analyze",
            table.toString(),
            "--events",
            evidence.toString(),
            "--out",
            out.toString(),
            "--quiet");
  }

  private static String readings(long startSeconds) {
    StringBuilder values = new StringBuilder();
    for (int second = 0; second < SECONDS; second++) {
      values.append(second == 0 ? "" : ",");
      values.append("[").append(startSeconds + second).append(",\"0.25\"]");
    }
    String series = "{\"metric\":{%s\"instance\":\"%s\"},\"values\":[" + values + "]}";
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
        + String.format(Locale.ROOT, series, "", "app1:9100")
        + ","
        + String.format(Locale.ROOT, series, "\"__name__\":\"jvm_threads\",", "elsewhere:9100")
        + "]}}";
  }

  private static String waits() {
    DateTimeFormatter dates =
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT)
            .withZone(ZoneOffset.ofHours(1));
    StringBuilder text = new StringBuilder();
    for (int second = 0; second < SECONDS; second++) {
      long endMillis = START_MILLIS + second * 1_000L + PAUSE_AT_MILLIS + PAUSE_MILLIS;
      String end = dates.format(Instant.ofEpochMilli(endMillis));
      text.append(
          String.format(
              Locale.ROOT,
              "%1$s CET [7] LOG:  process 7 acquired ShareLock on transaction %2$d after %3$d.000 ms%n"
                  + "%1$s CET [7] LOG:  duration: %3$d.010 ms  statement: update t set n = 1%n",
              end,
              second,
              PAUSE_MILLIS));
    }
    return text.toString();
  }

  private static String requests() {
    StringBuilder text = new StringBuilder("server,arrivalNanos,departureNanos\n");
    for (int millis = 0; millis < SECONDS * 1_000; millis++) {
      int inSecond = millis % 1_000;
      boolean paused = inSecond >= PAUSE_AT_MILLIS && inSecond < PAUSE_AT_MILLIS + PAUSE_MILLIS;
      int departureMillis =
          paused ? millis - inSecond + PAUSE_AT_MILLIS + PAUSE_MILLIS + 1 : millis + 2;
      text.append(
          String.format(
              Locale.ROOT,
              "app1,%d000000,%d%06d%n",
              START_MILLIS + millis,
              START_MILLIS + departureMillis,
              millis % 997));
    }
    return text.toString();
  }

  private static String pauses() {
    DateTimeFormatter dates =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxx", Locale.ROOT)
            .withZone(ZoneOffset.ofHours(2));
    StringBuilder text = new StringBuilder();
    for (int second = 0; second < SECONDS; second++) {
      long endMillis = START_MILLIS + second * 1_000L + PAUSE_AT_MILLIS + PAUSE_MILLIS;
      text.append(
          String.format(
              Locale.ROOT,
              "[%s][gc] GC(%d) Pause Full (Allocation Failure) 23M->7M(61M) %d.000ms%n",
              dates.format(Instant.ofEpochMilli(endMillis)),
              second,
              PAUSE_MILLIS));
    }
    return text.toString();
  }
}
