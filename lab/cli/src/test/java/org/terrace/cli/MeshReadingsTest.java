package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cli.input.MeshReadings;
import org.terrace.mesh.MeshFile;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Readings of Prometheus as resources of a mesh whose throughput grows no more. */
class MeshReadingsTest {
  private static final int RUN_SECONDS = 20;
  private static final long SECOND = 1_000_000_000L;

  /** The start of the run of the first trial; the next is a minute later. */
  private static final long START = 1_790_000_000L;

  @TempDir Path directory;

  private PlanCall call;

  @BeforeEach
  void write() throws IOException {
    List<MeshTrial> trials = new ArrayList<>();
    for (int number = 0; number < 2; number++) {
      String key = "key" + number;
      Path folder = Files.createDirectories(directory.resolve("trials/" + key));
      long start = START + number * 60L;
      ObservationFiles.writeEvents(
          folder.resolve(ObservationFiles.EVENTS),
          List.of(
              new Event(
                  "clients",
                  EventKinds.PHASE_RUN,
                  start * SECOND,
                  (start + RUN_SECONDS) * SECOND,
                  Map.of())));
      ObservationFiles.writeServers(
          folder.resolve(ObservationFiles.SERVERS),
          List.of(
              new Server("app1", "app", List.of("127.0.2.1:8080")),
              new Server("app2", "app", List.of("127.0.2.2:8080")),
              new Server("database1", "database", List.of("127.0.4.1:5432"))));
      trials.add(
          new MeshTrial(
              key,
              MeshTrial.Status.DONE,
              new Configuration("0/2/0/1", "postgresql", Map.of(), Map.of()),
              100 * (number + 1),
              0,
              RUN_SECONDS,
              List.of(
                  new ClassOutcome(
                      "a",
                      2_000,
                      0,
                      LatencyHistogram.of(new double[] {500}, new long[] {2_000, 0}))),
              100,
              List.of(Utilisation.of("app1", "app", "cpu", 1, new double[] {0.1, 0.2, 0.1})),
              "trials/" + key));
    }
    MeshFile.write(
        directory.resolve(MeshFile.NAME), new Mesh("readings", Map.of("cores", "2"), trials));
  }

  /** An answer whose series have a value in the first trial and another in the second. */
  private Path answer(String name, String... series) throws IOException {
    List<String> told = new ArrayList<>();
    for (String each : series) {
      String[] parts = each.split(" ", -1);
      List<String> values = new ArrayList<>();
      for (long at = START - 30; at < START + 120; at++) {
        // Whatever is outside of the runs would be more than all.
        String value =
            at > START && at <= START + RUN_SECONDS
                ? parts[1]
                : at > START + 60 && at <= START + 60 + RUN_SECONDS ? parts[2] : "7";
        values.add("[" + at + ",\"" + value + "\"]");
      }
      told.add(
          "{\"metric\":{\"__name__\":\"use\",\"instance\":\"%s\"},\"values\":[%s]}"
              .formatted(parts[0], String.join(",", values)));
    }
    return Files.writeString(
        directory.resolve(name),
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[%s]}}"
            .formatted(String.join(",", told)));
  }

  private int plan(String... options) {
    call =
        PlanCall.of(
            directory,
            Stream.concat(Stream.of("--json"), Stream.of(options)).toArray(String[]::new));
    return call.code();
  }

  private String cell(int users) {
    JsonNode cells = JsonMapper.shared().readTree(call.printed()).path("cells");
    return cells
        .valueStream()
        .filter(each -> each.path("users").asInt() == users)
        .map(JsonNode::toString)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSoftResourceIsASuspectOfTheTrialInWhoseRunItWasSaturated() throws IOException {
    assertThat(plan()).isZero();
    assertThat(cell(200)).doesNotContain("connections");
    Path file = answer("connections.json", "127.0.2.1:9100 0.2 1.0", "127.0.2.2:9100 0.1 0.3");

    assertThat(plan("--readings", "app.connections=" + file)).isZero();

    assertThat(cell(200)).contains("\"resource\":\"connections\"", "no-hardware");
    assertThat(cell(100)).doesNotContain("\"resource\":\"connections\"");
  }

  @Test
  void aNameOfHardwareIsHardware() throws IOException {
    Path file = answer("disk.json", "exporter:9100 0.2 0.99");

    assertThat(plan("--readings", "database1.disk=" + file)).isZero();

    assertThat(cell(200)).contains("disk").contains("database1").contains("single");
  }

  @Test
  void whatWatchLeftOfAHostIsReadByTheNamesOfItsSeries() throws IOException {
    Path host = Files.createDirectory(directory.resolve("host"));
    long second = START * SECOND;
    ObservationFiles.writeEvents(
        host.resolve(ObservationFiles.EVENTS),
        List.of(new Event("machine", EventKinds.WATCHED, second, second + 120 * SECOND, Map.of())));
    List<Sample> samples = new ArrayList<>();
    for (long at = 0; at < 120; at++) {
      long time = second + at * SECOND + SECOND / 2;
      samples.add(new Sample("machine", "cpu-utilisation", time, at < 60 ? 0.2 : 1));
      samples.add(new Sample("machine", "dirty-bytes", time, 4_096));
    }
    ObservationFiles.writeSamples(host.resolve(ObservationFiles.SAMPLES), samples);

    assertThat(plan("--readings", "database1.cpu-utilisation=" + host)).isZero();

    assertThat(cell(200)).contains("\"resource\":\"cpu-utilisation\"");
    assertThat(cell(100)).doesNotContain("\"resource\":\"cpu-utilisation\"");
    assertRefused("database1.steal=" + host, "no readings of steal; it has cpu-utilisation, dirty");
    assertRefused("database1.dirty-bytes=" + host, "expected a share from 0 to 1");
  }

  /** A name that is mistyped is of nobody, as 10.9.9.9 is. */
  @Test
  void whatTheFileLacksAndWhatIsOfNobodyIsSaid() throws IOException {
    Path file =
        answer(
            "some.json",
            "127.0.2.1:9100 0.2 1.0",
            "127.0.2.2:9100 NaN 0.3",
            "database1:9100 0.2 0.3",
            "10.9.9.9:9100 0.2 1.0");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("\"status\":", "\"warnings\":[\"a store is away\"],\"status\":"));
    List<String> notes = new ArrayList<>();

    var _ =
        MeshReadings.parse("app.connections=" + file)
            .addedTo(
                MeshFile.readResults(directory.resolve(MeshFile.NAME)).mesh(),
                directory,
                "instance",
                notes::add);

    assertThat(notes)
        .allMatch(each -> each.startsWith("--readings " + file + ": "))
        .anyMatch(each -> each.contains("a store is away"))
        .anyMatch(each -> each.contains("20 values that are no number"))
        .anyMatch(each -> each.contains("20 readings are missing between others"))
        .filteredOn(each -> each.contains("no server"))
        .singleElement()
        .asString()
        .contains("'10.9.9.9:9100'")
        .doesNotContain("127.0.2", "database1");
  }

  @Test
  void theHelpNamesWhatIsReadAndATableIsRefused() throws IOException {
    Path table = Files.writeString(directory.resolve("samples.csv"), "node,resource,time,value\n");

    assertRefused("app.connections=" + table, "expected node, kind, start and end");
    String help = Terrace.commandLine().getSubcommands().get("plan").getUsageMessage();
    assertThat(help.replaceAll("\\s+", " "))
        .contains("query_range")
        .doesNotContain("table of samples");
  }

  @Test
  void whatIsNotAsExpectedIsRefused() throws IOException {
    Path strange = answer("strange.json", "10.9.9.9:9100 0.2 1.0");
    Path large = answer("large.json", "127.0.2.1:9100 0.2 12");
    Path several = answer("several.json", "127.0.2.1:9100 0.2 1", "127.0.2.1:9101 0.2 1");
    Path good = answer("good.json", "127.0.2.1:9100 0.2 1");

    assertRefused("app.connections=" + strange, "no reading is of a server of app", "10.9.9.9");
    assertRefused("app.connections=" + large, "is 12.0, expected a share from 0 to 1");
    assertRefused("app.connections=" + several, "it has 2 series of app1, expected one");
    assertRefused("app.cpu=" + good, "the mesh has readings of cpu of app1 of its own");
    assertRefused("apps.connections=" + good, "'apps' is neither a tier nor a server");
    assertRefused("connections=" + good, "expected TIER.RESOURCE=FILE");
    assertRefused("app.connections=none.json", "there is no file or directory none.json");
  }

  private void assertRefused(String argument, String... words) {
    assertThat(plan("--readings", argument)).isEqualTo(2);
    assertThat(call.errors()).contains(words);
  }
}
