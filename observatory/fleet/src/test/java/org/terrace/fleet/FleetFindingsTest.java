package org.terrace.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.core.TerraceException;
import org.terrace.details.FindingDetails;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** The findings of a data set are those of one analysis, and what is lost or read twice is seen. */
class FleetFindingsTest {
  /** Half a minute before a full hour, so that a trial lies in two. */
  private static final long START = 1_790_002_770_000_000_000L;

  /** Of random tables: one server after the other stands still so often, and so long. */
  private static final long PAUSE_EVERY_NANOS = 700_000_000L;

  private static final long PAUSE_NANOS = 250_000_000L;

  private static final AnalysisOptions OPTIONS = AnalysisOptions.defaults();

  @TempDir Path fleet;

  @Test
  void aTrialsFindingsAreThoseOfOneAnalysis() {
    Observation observation =
        GeneratedTrial.of(
            Seeds.next("FleetFindingsTest.generated"), START, Depth.of(36_000, 22_000));
    FleetWriter.add(fleet, "shop", observation, false);

    Findings found = FleetFindings.of(FleetStorage.of(fleet), "shop", OPTIONS);

    assertThat(found).isEqualTo(oneProcess(observation, OPTIONS));
    assertThat(found.servers()).extracting("name").containsExactly("web1", "app1", "app2", "db1");
    assertThat(found.servers().getLast().stalls()).isNotEmpty();
    assertThat(found.stallEpisodes()).isNotEmpty();
    assertThat(found.clients()).isNotNull();
    assertThat(found.servers()).allMatch(each -> !each.episodes().isEmpty());
    assertThat(found.servers()).allMatch(each -> each.delays() != null);
    assertThat(FleetReader.files(FleetStorage.of(fleet), "shop"))
        .extracting(FleetFile::hour)
        .contains("2026-09-21-14", "2026-09-21-15");
  }

  @Test
  void aGivenWindowIsTheOneOfBoth() {
    Observation observation =
        GeneratedTrial.of(Seeds.next("FleetFindingsTest.window"), START, Depth.of(12_000, 3_000));
    FleetWriter.add(fleet, "shop", observation, false);
    AnalysisOptions options = OPTIONS.withWindowMillis(100);

    assertThat(FleetFindings.of(FleetStorage.of(fleet), "shop", options))
        .isEqualTo(oneProcess(observation, options));
  }

  @Test
  void randomTablesWithoutARunPhaseGiveTheSameFindings() {
    RandomGenerator random = Seeds.generator(Seeds.next("FleetFindingsTest.random"));
    int stalls = 0;
    long ranked = 0;
    int tables = Depth.of(12, 2);
    for (int i = 0; i < tables; i++) {
      Observation observation = random(random);
      FleetWriter.add(fleet, "random", observation, true);

      Findings found = FleetFindings.of(FleetStorage.of(fleet), "random", OPTIONS);

      assertThat(found).isEqualTo(oneProcess(observation, OPTIONS));
      stalls += found.servers().stream().mapToInt(each -> each.stalls().size()).sum();
      ranked +=
          found.servers().stream()
              .map(ServerFindings::delays)
              .filter(delays -> delays != null && !delays.causes().isEmpty())
              .count();
    }
    // Findings of nothing are equal whatever was lost on the way to them.
    assertThat(stalls).isGreaterThan(Depth.of(12, 0));
    System.out.printf("%d stalls, delays with causes at %d servers%n", stalls, ranked);
  }

  /** Outcomes travel from one machine to another as Java's serialization has them. */
  @Test
  void outcomesThatTravelledGiveTheSameFindings() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("FleetFindingsTest.travelled"));
    FleetWriter.add(fleet, "random", random(random), false);
    add("shop", 6_000);
    FleetStorage storage = FleetStorage.of(fleet);
    for (String trial : FleetReader.trials(storage)) {
      List<ServerOutcome> travelled = new ArrayList<>();
      for (ServerTask task : ServerTask.all(storage, OPTIONS)) {
        if (task.trial().equals(trial)) {
          travelled.add(travelled(travelled(task).run(storage)));
        }
      }

      assertThat(TrialJoin.findings(storage, trial, travelled, OPTIONS))
          .isEqualTo(FleetFindings.of(storage, trial, OPTIONS));
    }
  }

  @Test
  void aServerWithoutRequestsIsAmongTheFindings() {
    Observation shop = GeneratedTrial.of(Seeds.next("FleetFindingsTest.idle"), START, 3_000);
    List<Server> servers = new ArrayList<>(shop.servers());
    servers.add(2, new Server("spare", "app", List.of("10.0.2.9:8080")));
    Observation observation =
        new Observation(servers, shop.requests(), shop.samples(), shop.events());
    FleetWriter.add(fleet, "shop", observation, false);

    Findings found = FleetFindings.of(FleetStorage.of(fleet), "shop", OPTIONS);

    assertThat(found).isEqualTo(oneProcess(observation, OPTIONS));
    assertThat(found.servers()).extracting("name").contains("spare");
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
    add("shop", Depth.of(20_000, 1_000));
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
    add("shop", Depth.of(20_000, 1_000));
    FleetStorage storage = FleetStorage.of(fleet);
    FleetFile first = file("db1", "app1");
    FleetFile second = file("db1", "app2");
    Files.copy(
        fleet.resolve(first.path("shop")),
        fleet.resolve(second.path("shop")),
        StandardCopyOption.REPLACE_EXISTING);

    assertThatThrownBy(() -> FleetFindings.of(storage, "shop", OPTIONS))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(second.path("shop"))
        .hasMessageContaining("that the table of files lists");
  }

  /** As many requests, each there once in the trial: their times alone tell. */
  @Test
  void filesThatChangedPlacesAreNoticed() throws IOException {
    add("shop", 1_000);
    FleetStorage storage = FleetStorage.of(fleet);
    FleetFile first = file("clients", "clients");
    FleetFile second = file("web1", "clients");
    Path place = fleet.resolve(first.path("shop"));
    byte[] content = Files.readAllBytes(place);
    Files.copy(fleet.resolve(second.path("shop")), place, StandardCopyOption.REPLACE_EXISTING);
    Files.write(fleet.resolve(second.path("shop")), content);

    assertThat(first.requests()).isEqualTo(second.requests());
    assertThatThrownBy(() -> FleetFindings.of(storage, "shop", OPTIONS))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(first.path("shop"))
        .hasMessageContaining("that the table of files lists");
  }

  /** The newer one has as many requests, so that no count tells. */
  @Test
  void aTrialThatIsReplacedWhileItIsReadIsNoticed() {
    add("shop", 1_000);
    FleetStorage storage = FleetStorage.of(fleet);
    List<ServerTask> tasks = ServerTask.all(storage, OPTIONS);
    List<ServerOutcome> older = tasks.stream().map(task -> task.run(storage)).toList();
    FleetWriter.add(fleet, "shop", GeneratedTrial.of(7, START, 1_000), true);

    assertThatThrownBy(() -> tasks.getFirst().run(storage))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("shop was replaced while it was read");
    assertThatThrownBy(() -> TrialJoin.findings(storage, "shop", older, OPTIONS))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("replaced after");
  }

  @Test
  void damageGivesTheSameFindingsOrIsNamed() throws IOException {
    add("shop", 600);
    FleetStorage storage = FleetStorage.of(fleet);
    Findings whole = FleetFindings.of(storage, "shop", OPTIONS);
    RandomGenerator random = Seeds.generator(Seeds.next("FleetFindingsTest.damage"));
    for (String table : List.of("trials", "files", "servers", "events")) {
      Path file = fleet.resolve(FleetReader.file(table, "shop"));
      byte[] content = Files.readAllBytes(file);
      for (int i = 0; i < Depth.of(25, 2); i++) {
        byte[] damaged = content.clone();
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, damaged);
        Findings found = null;
        try {
          found = FleetFindings.of(storage, "shop", OPTIONS);
        } catch (TerraceException e) {
          assertThat(e).hasMessageContaining("shop");
        }
        assertThat(found).isIn(null, whole);
      }
      Files.write(file, content);
    }
  }

  @Test
  void anotherTrialsDamageDoesNotMatter() throws IOException {
    add("shop", 600);
    add("torn", 600);
    FleetStorage storage = FleetStorage.of(fleet);
    Findings whole = FleetFindings.of(storage, "shop", OPTIONS);
    Files.write(fleet.resolve(FleetReader.file("files", "torn")), new byte[] {1});

    assertThat(FleetFindings.of(storage, "shop", OPTIONS)).isEqualTo(whole);
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
    add("shop", Depth.of(12_000, 3_000));
    FleetStorage storage = FleetStorage.of(fleet);
    List<ServerOutcome> outcomes =
        new ArrayList<>(
            ServerTask.all(storage, OPTIONS).stream().map(task -> task.run(storage)).toList());
    Findings expected = TrialJoin.findings(storage, "shop", outcomes, OPTIONS);
    Collections.reverse(outcomes);

    assertThat(TrialJoin.findings(storage, "shop", outcomes, OPTIONS)).isEqualTo(expected);
  }

  /** The findings of one analysis, without what only it can have: packets of episodes. */
  static Findings oneProcess(Observation observation, AnalysisOptions options) {
    AnalysisResult result = Analysis.analyze(observation, options);
    Findings detailed =
        FindingDetails.added(
            result.findings(),
            observation,
            result.stretch().startNanos(),
            result.stretch().endNanos());
    assertThat(detailed.responses().isEmpty()).isEqualTo(observation.requests().size() == 0);
    return detailed.withDetails(
        detailed.servers(), result.findings().stallEpisodes(), detailed.responses());
  }

  @SuppressWarnings({"unchecked", "BanSerializableRead"})
  private static <T> T travelled(T value) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
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

  /**
   * Requests of odd names, at equal times, that call in circles, wait by wish, stand still, and
   * never end.
   */
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
      String server = servers.get(random.nextInt(servers.size()));
      boolean stands = server.equals(servers.get((int) (now / PAUSE_EVERY_NANOS % 3)));
      long pause = stands ? Math.max(0, PAUSE_NANOS - now % PAUSE_EVERY_NANOS) : 0;
      table.accept(
          new Request(
              server,
              classes.get(random.nextInt(classes.size())),
              callers.get(random.nextInt(callers.size())),
              now - random.nextLong(1_000_000),
              now,
              now + pause + random.nextLong(20_000_000),
              1,
              2,
              Outcome.values()[random.nextInt(Outcome.values().length)],
              1));
    }
    List<Event> events =
        IntStream.range(0, 40)
            .mapToObj(i -> START / PAUSE_EVERY_NANOS * PAUSE_EVERY_NANOS + i * PAUSE_EVERY_NANOS)
            .map(at ->
                new Event(
                    servers.get((int) (at / PAUSE_EVERY_NANOS % 3)),
                    EventKinds.GC_PAUSE,
                    at,
                    at + PAUSE_NANOS,
                    Map.of()))
            .toList();
    return new Observation(
        random.nextBoolean() ? List.of() : List.of(new Server("c=d/e", "app", List.of())),
        table.build(),
        List.of(),
        events);
  }
}
