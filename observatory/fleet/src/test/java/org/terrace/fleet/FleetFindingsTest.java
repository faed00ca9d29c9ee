package org.terrace.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.TerraceException;
import org.terrace.details.FindingDetails;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;

/** The findings of a data set are those of one analysis, and what is lost or read twice is seen. */
class FleetFindingsTest {
  /** Half a minute before a full hour, so that a trial lies in two. */
  private static final long START = 1_790_002_770_000_000_000L;

  private static final AnalysisOptions OPTIONS = AnalysisOptions.defaults();

  @TempDir Path fleet;

  @Test
  void aTrialsFindingsAreThoseOfOneAnalysis() {
    Observation observation =
        GeneratedTrial.of(Seeds.next("FleetFindingsTest.generated"), START, 36_000);
    FleetWriter.add(fleet, "shop", observation, false);

    Findings found = FleetFindings.of(FleetStorage.of(fleet), "shop", OPTIONS);

    assertThat(found).isEqualTo(oneProcess(observation, OPTIONS));
    assertThat(found.servers()).extracting("name").containsExactly("web1", "app1", "app2", "db1");
    assertThat(found.servers().getLast().stalls()).isNotEmpty();
    assertThat(found.stallEpisodes()).isNotEmpty();
    assertThat(found.clients()).isNotNull();
    assertThat(FleetReader.files(FleetStorage.of(fleet), "shop"))
        .extracting(FleetFile::hour)
        .contains("2026-09-21-14", "2026-09-21-15");
  }

  @Test
  void aGivenWindowIsTheOneOfBoth() {
    Observation observation =
        GeneratedTrial.of(Seeds.next("FleetFindingsTest.window"), START, 12_000);
    FleetWriter.add(fleet, "shop", observation, false);
    AnalysisOptions options = OPTIONS.withWindowMillis(100);

    assertThat(FleetFindings.of(FleetStorage.of(fleet), "shop", options))
        .isEqualTo(oneProcess(observation, options));
  }

  @Test
  void randomTablesWithoutARunPhaseGiveTheSameFindings() {
    RandomGenerator random = Seeds.generator(Seeds.next("FleetFindingsTest.random"));
    for (int i = 0; i < 12; i++) {
      Observation observation = random(random);
      FleetWriter.add(fleet, "random", observation, true);

      assertThat(FleetFindings.of(FleetStorage.of(fleet), "random", OPTIONS))
          .isEqualTo(oneProcess(observation, OPTIONS));
    }
  }

  @Test
  void anObservationWithoutRequestsHasFindings() {
    Observation observation =
        new Observation(
            List.of(new Server("app1", "app", List.of())),
            RequestTable.empty(),
            List.of(),
            List.of());
    FleetWriter.add(fleet, "empty", observation, false);

    assertThat(FleetFindings.of(FleetStorage.of(fleet), "empty", OPTIONS))
        .isEqualTo(oneProcess(observation, OPTIONS));
  }

  @Test
  void anHourThatIsLostIsNoticed() throws IOException {
    add("shop", 20_000);
    FleetStorage storage = FleetStorage.of(fleet);
    FleetFile lost = file("db1", "app2");
    Path place = fleet.resolve(lost.path("shop"));
    byte[] content = Files.readAllBytes(place);
    Files.delete(place);

    assertThatThrownBy(() -> FleetFindings.of(storage, "shop", OPTIONS))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(lost.path("shop"))
        .hasMessageContaining("lacks it");

    // Lost from the table of files too: then the trial has requests that nobody read.
    Files.write(place, content);
    List<FleetFile> files = new ArrayList<>(FleetReader.files(storage, "shop"));
    files.remove(lost);
    FleetReader.fileTable().write(fleet.resolve(FleetReader.file("files", "shop")), files);

    assertThatThrownBy(() -> FleetFindings.of(storage, "shop", OPTIONS))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("requests were read; expected the 100000 that it has");
  }

  @Test
  void aPartThatIsReadTwiceIsNoticed() throws IOException {
    add("shop", 20_000);
    FleetStorage storage = FleetStorage.of(fleet);
    List<FleetFile> files = new ArrayList<>(FleetReader.files(storage, "shop"));
    files.add(file("web1", "clients"));
    FleetReader.fileTable().write(fleet.resolve(FleetReader.file("files", "shop")), files);

    assertThatThrownBy(() -> FleetFindings.of(storage, "shop", OPTIONS))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("twice at web1");
  }

  @Test
  void aFileWithOtherRequestsThanListedIsNoticed() throws IOException {
    add("shop", 20_000);
    FleetStorage storage = FleetStorage.of(fleet);
    FleetFile first = file("db1", "app1");
    FleetFile second = file("db1", "app2");
    Files.copy(
        fleet.resolve(first.path("shop")),
        fleet.resolve(second.path("shop")),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    assertThatThrownBy(() -> FleetFindings.of(storage, "shop", OPTIONS))
        .isInstanceOf(TerraceException.class)
        .hasMessageMatching("(?s).*(expected the \\d+ that the table of files lists|twice).*");
  }

  @Test
  void anOutcomeThatIsMissingOrThereTwiceIsNoticed() {
    add("shop", 6_000);
    FleetStorage storage = FleetStorage.of(fleet);
    List<ServerOutcome> outcomes =
        ServerTask.all(storage, OPTIONS).stream().map(task -> task.run(storage)).toList();
    List<ServerOutcome> doubled = new ArrayList<>(outcomes);
    doubled.add(outcomes.getFirst());

    assertThatThrownBy(() -> TrialJoin.findings(storage, "shop", outcomes.subList(1, 5), OPTIONS))
        .hasMessageContaining("requests were read");
    assertThatThrownBy(() -> TrialJoin.findings(storage, "shop", doubled, OPTIONS))
        .hasMessageContaining("two outcomes of " + outcomes.getFirst().server());
  }

  @Test
  void theOrderOfOutcomesDoesNotMatter() {
    add("shop", 12_000);
    FleetStorage storage = FleetStorage.of(fleet);
    List<ServerOutcome> outcomes =
        new ArrayList<>(
            ServerTask.all(storage, OPTIONS).stream().map(task -> task.run(storage)).toList());
    Findings expected = TrialJoin.findings(storage, "shop", outcomes, OPTIONS);
    Collections.reverse(outcomes);

    assertThat(TrialJoin.findings(storage, "shop", outcomes, OPTIONS)).isEqualTo(expected);
  }

  /** The findings of one analysis, without what only it can have: the packets of episodes. */
  static Findings oneProcess(Observation observation, AnalysisOptions options) {
    AnalysisResult result = Analysis.analyze(observation, options);
    Findings detailed =
        FindingDetails.added(
            result.findings(),
            observation,
            result.stretch().startNanos(),
            result.stretch().endNanos());
    return detailed.withDetails(detailed.servers(), result.findings().stallEpisodes());
  }

  private void add(String trial, int pages) {
    FleetWriter.add(
        fleet,
        trial,
        GeneratedTrial.of(Seeds.next("FleetFindingsTest." + trial), START, pages),
        false);
  }

  private FleetFile file(String server, String caller) {
    return FleetReader.files(FleetStorage.of(fleet), "shop").stream()
        .filter(file -> file.server().equals(server) && file.caller().equals(caller))
        .findFirst()
        .orElseThrow();
  }

  /** Requests of odd names, at equal times, that call in circles, wait by wish, and never end. */
  private static Observation random(RandomGenerator random) {
    List<String> servers = List.of("a b", "ü:1", "c=d/e", Server.CLIENTS);
    List<String> classes = List.of("GET /", "POP (waits)", "", "x%41");
    List<String> callers = List.of("a b", "c=d/e", Server.CLIENTS, "stranger", "ü:1");
    RequestTable.Builder table = new RequestTable.Builder();
    SplittableRandom gaps = new SplittableRandom(random.nextLong());
    long hours = random.nextBoolean() ? 1 : 9 * 3_600;
    long now = START;
    for (int row : IntStream.range(0, 4_000).toArray()) {
      now += row % 1_000 == 999 ? hours * 1_000_000_000L : gaps.nextLong(4) * 1_000_000L;
      table.accept(
          new Request(
              servers.get(random.nextInt(servers.size())),
              classes.get(random.nextInt(classes.size())),
              callers.get(random.nextInt(callers.size())),
              now - random.nextLong(1_000_000),
              now,
              now + random.nextLong(20_000_000),
              1,
              2,
              Outcome.values()[random.nextInt(Outcome.values().length)],
              1));
    }
    List<Event> events =
        IntStream.range(0, 40)
            .mapToObj(i -> START + random.nextLong(8_000_000_000L))
            .map(at -> new Event("a b", EventKinds.GC_PAUSE, at, at + 5_000_000, Map.of()))
            .toList();
    return new Observation(
        random.nextBoolean() ? List.of() : List.of(new Server("c=d/e", "app", List.of())),
        table.build(),
        List.of(),
        events);
  }
}
