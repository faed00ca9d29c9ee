package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Distribution;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Load;
import org.terrace.experiment.Phases;
import org.terrace.experiment.Replication;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.setting.ProcessorLimit;
import org.terrace.nodes.setting.WebServer;

class SpecificationReaderTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final ExperimentSchema SCHEMA = new ExperimentSchema();

  private static final String GOOD =
      """
      kind: Experiment
      name: full
      topology: 1/2/0/1
      application: board
      database: postgresql
      replication: wait-all
      scheduler: serial
      web: apache
      load: {closed: {users: 100, think: exp(2s)}, mix: browse-only}
      phases: {rampUp: 500ms, run: 1.5m, rampDown: 3s}
      faults:
        - {kill: app1, at: 10s, every: 20s, count: 3, restart: 5s}
        - {pause: database1, at: 2m, for: 10s}
        - {gc-pressure: app2, at: 0s, for: 90s}
      observe: {packets: false, sample: 500ms, snapLength: 512}
      limits: {app: {cpu: 0.5, calibrated: true}, app2: {cpu: 2}}
      heap: {app: 64m, web1: 1g}
      data: {scale: 0.002, seed: 7}
      network: 127.10
      seed: 3
      fail-if: ["users p99 > 200ms", users errors > 1%]
      """
          .replace("at: 2m", "at: 1m");

  @Test
  void everyFieldArrives() {
    Experiment experiment = SpecificationReader.read("good.yaml", GOOD);

    assertThat(experiment.name()).isEqualTo("full");
    assertThat(experiment.topology()).isEqualTo(new Topology(1, 2, 0, 1));
    assertThat(experiment.replication()).isEqualTo(new Replication("wait-all", "serial"));
    assertThat(experiment.web()).isEqualTo(WebServer.APACHE);
    assertThat(experiment.load())
        .isEqualTo(new Load.Closed(100, new Distribution.Exponential(Duration.ofSeconds(2))));
    assertThat(experiment.mix()).isEqualTo("browse-only");
    assertThat(experiment.phases())
        .isEqualTo(
            new Phases(Duration.ofMillis(500), Duration.ofSeconds(90), Duration.ofSeconds(3)));
    assertThat(experiment.failIf())
        .extracting(Threshold::text)
        .containsExactly("users p99 > 200ms", "users errors > 1%");
    assertThat(experiment.faults())
        .containsExactly(
            new Fault.Kill(
                "app1",
                new Fault.Schedule(Duration.ofSeconds(10), Duration.ofSeconds(20), 3),
                Optional.of(Duration.ofSeconds(5))),
            new Fault.Pause(
                "database1", Fault.Schedule.once(Duration.ofMinutes(1)), Duration.ofSeconds(10)),
            new Fault.GarbagePressure(
                "app2", Fault.Schedule.once(Duration.ZERO), Duration.ofSeconds(90)));
    assertThat(experiment.observe())
        .isEqualTo(new Experiment.Observe(false, Duration.ofMillis(500), 0, 512));
    assertThat(experiment.cpuLimit(Tier.APP, 1)).hasValue(0.5);
    assertThat(experiment.cpuLimit(Tier.APP, 2)).hasValue(2);
    assertThat(experiment.cpuLimit(Tier.WEB, 1)).isEmpty();
    assertThat(experiment.cpuLimits())
        .containsEntry("app", new ProcessorLimit(0.5, true))
        .containsEntry("app2", new ProcessorLimit(2, false));
    assertThat(experiment.heapBytes(Tier.APP, 2)).contains(64L << 20);
    assertThat(experiment.heapBytes(Tier.WEB, 1)).contains(1L << 30);
    assertThat(experiment.data()).isEqualTo(new Experiment.Data(0.002, 7));
    assertThat(experiment.network()).isEqualTo("127.10");
    assertThat(experiment.seed()).isEqualTo(3);
    assertThat(SCHEMA.errors(GOOD)).isEmpty();
  }

  static Stream<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("experiments"))) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.toString().endsWith("-mesh.yaml")) // MeshReaderTest reads those
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsAcceptedByReaderAndSchema(Path example) throws IOException {
    SpecificationReader.read(example);
    assertThat(SCHEMA.errors(Files.readString(example))).isEmpty();
  }

  @Test
  void theQuickstartKillsOneOfTwoApplicationServersMidway() {
    Experiment quickstart = SpecificationReader.read(ROOT.resolve("experiments/quickstart.yaml"));
    assertThat(quickstart.topology()).hasToString("1/2/0/1");
    assertThat(quickstart.load())
        .isEqualTo(new Load.Closed(1_000, new Distribution.Exponential(Duration.ofSeconds(2))));
    assertThat(quickstart.phases().run()).isEqualTo(Duration.ofSeconds(40));
    assertThat(quickstart.faults())
        .filteredOn(fault -> fault instanceof Fault.Kill)
        .singleElement()
        .satisfies(kill -> assertThat(kill.schedule().at()).isEqualTo(Duration.ofSeconds(20)));
  }

  /** A change to the good document, where its fault is reported, and with which words. */
  record Bad(String from, String to, int line, int column, String words, boolean schemaSeesIt) {
    String document() {
      assertThat(GOOD).contains(from);
      return GOOD.replace(from, to);
    }

    @Override
    public String toString() {
      return to.isEmpty() ? "without " + from : to;
    }
  }

  static List<Bad> badDocuments() {
    return List.of(
        new Bad("kind: Experiment", "kind: Experimnt", 1, 7, "did you mean 'Experiment'?", true),
        new Bad("kind: Experiment\n", "", 1, 1, "the specification lacks 'kind'", true),
        new Bad(
            "name: full", "name: Full Name", 2, 7, "name is 'Full Name', expected a name", true),
        new Bad("topology: 1/2/0/1", "topolgy: 1/2/0/1", 3, 1, "did you mean 'topology'?", true),
        new Bad("1/2/0/1", "1/2/1", 3, 11, "expected web/app/middleware/database", true),
        new Bad("1/2/0/1", "1/2/2/1", 3, 11, "the third number has to be 0 or 1", true),
        new Bad("1/2/0/1", "1/2/0/2", 3, 11, "the third number has to be 1", true),
        new Bad("1/2/0/1", "1/1/0/2L", 3, 11, "low-cost nodes are not available yet", true),
        new Bad("1/2/0/1", "1/1/0/0", 3, 11, "1 to 99 databases", true),
        new Bad("wait-all", "wait-none", 6, 14, "unknown value 'wait-none' in replication", true),
        new Bad("wait-all", "wait-al", 6, 14, "did you mean 'wait-all'?", true),
        new Bad(
            "scheduler: serial", "scheduler: key", 7, 12, "expected one of: serial, table", true),
        new Bad("board", "shop", 4, 14, "unknown value 'shop' in application", true),
        new Bad("apache", "apachee", 8, 6, "did you mean 'apache'?", true),
        new Bad("users: 100,", "users: many,", 9, 24, "users is 'many', expected a whole", true),
        new Bad("users: 100,", "users: '100',", 9, 24, "quoted text '100'", true),
        new Bad("users: 100,", "users: 0,", 9, 24, "from 1 to 100000", true),
        new Bad("users: 100,", "user: 100,", 9, 17, "did you mean 'users'?", true),
        new Bad("exp(2s)", "2s", 9, 36, "think is '2s', expected a distribution", true),
        new Bad("exp(2s)", "exp(0s)", 9, 36, "think is 'exp(0s)'", false),
        new Bad("browse-only", "browse", 9, 51, "unknown value 'browse' in mix", true),
        new Bad("{closed: {users: 100, think: exp(2s)}, mix", "{mix", 9, 7, "exactly one", true),
        new Bad(
            "closed: {users: 100, think: exp(2s)}", "open: {rate: 0}", 9, 21, "rate is '0'", true),
        new Bad("run: 1.5m", "run: 90", 10, 30, "run is '90', expected a duration", true),
        new Bad("run: 1.5m", "run: 1ms", 10, 30, "from 1s to 24h", false),
        new Bad("run: 1.5m, ", "", 10, 9, "phases lacks 'run'", true),
        new Bad(
            "kill: app1", "kill: app3", 12, 12, "'app3', which topology 1/2/0/1 does not", false),
        new Bad("kill: app1", "kil: app1", 12, 6, "did you mean 'kill'?", true),
        new Bad("at: 10s, every", "at: 95s, every", 12, 5, "after the end of the run", false),
        new Bad(", restart: 5s", "", 12, 5, "the kill at 10s leaves it dead", false),
        new Bad("restart: 5s", "restart: 25s", 12, 5, "still holds it", false),
        new Bad(", count: 3", "", 12, 5, "needs both 'every' and 'count'", true),
        new Bad("at: 1m, for: 10s", "at: 1m, for: 40s", 13, 5, "after the end of the run", false),
        new Bad("at: 1m, for: 10s", "at: 1m", 13, 5, "a fault lacks 'for'", true),
        new Bad("gc-pressure: app2", "gc-pressure: web1", 14, 19, "only application servers", true),
        new Bad("packets: false", "packets: no", 15, 20, "packets is 'no', expected true", true),
        new Bad("sample: 500ms", "sample: 5ms", 15, 35, "from 100ms to 10m", false),
        new Bad("app2: {cpu: 2}", "app7: {cpu: 2}", 16, 45, "unknown server or tier 'app7'", false),
        new Bad("cpu: 0.5", "cpu: -1", 16, 21, "cpu is '-1', expected a number above 0", true),
        new Bad("app: 64m", "app: 64", 17, 13, "app is '64', expected a size", true),
        new Bad("scale: 0.002", "scale: 11", 18, 15, "above 0 and at most 10", true),
        new Bad("127.10", "127.300", 19, 10, "network is '127.300'", false),
        new Bad("127.10", "10.0", 19, 10, "network is '10.0'", true),
        new Bad("seed: 3", "seed: -3", 20, 7, "seed is '-3'", true),
        new Bad("p99 > 200ms", "p98 > 200ms", 21, 11, "'users p98 > 200ms' is no", true),
        new Bad("errors > 1%", "errors > 1ms", 21, 32, "compares errors with ms", true),
        new Bad("snapLength: 512", "snapLength: 12", 15, 54, "snapLength is '12'", true),
        new Bad("observe: {", "observe: [", 15, 57, "this is not YAML", false));
  }

  @ParameterizedTest
  @MethodSource("badDocuments")
  void aBadDocumentIsRefusedWithItsPlaceAndWhatWasExpected(Bad bad) {
    SpecificationException refusal = refusal(bad.document());

    assertThat(refusal.problems())
        .anySatisfy(problem -> {
          assertThat(problem.message()).contains(bad.words());
          assertThat(List.of(problem.line(), problem.column()))
              .containsExactly(bad.line(), bad.column());
        });
    assertThat(refusal).hasMessageContaining("bad.yaml:" + bad.line() + ":" + bad.column() + ": ");
    if (bad.schemaSeesIt()) {
      assertThat(SCHEMA.errors(bad.document())).isNotEmpty();
    }
  }

  @Test
  void allProblemsAreReportedAtOnceInTheOrderOfTheFile() {
    SpecificationException refusal =
        refusal(
            GOOD.replace("1/2/0/1", "1/2/3/1")
                .replace("run: 1.5m", "run: x")
                .replace("seed: 3", "sed: 3"));
    assertThat(refusal.problems()).extracting(Problem::line).contains(3, 10, 20).isSorted();
  }

  @Test
  void aKeyThatAppearsTwiceIsRefused() {
    assertThat(refusal(GOOD + "seed: 4\n")).hasMessageContaining("'seed' appears twice");
  }

  @Test
  void whatIsNotAMappingIsRefused() {
    assertThat(refusal("- a\n")).hasMessageContaining("the specification is a list");
    assertThat(refusal("")).hasMessageContaining("the file is empty");
    assertThat(refusal(GOOD + "---\nkind: Experiment\n")).hasMessageContaining("second document");
  }

  @Test
  void aFileThatCannotBeReadIsNamed(@TempDir Path directory) throws IOException {
    Path missing = directory.resolve("missing.yaml");
    TerraceException refusal =
        catchThrowableOfType(TerraceException.class, () -> SpecificationReader.read(missing));
    assertThat(refusal).hasMessageContaining(missing + ": there is no such file");

    Path binary = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xff, 0x00});
    assertThat(catchThrowableOfType(TerraceException.class, () -> SpecificationReader.read(binary)))
        .hasMessageContaining("not text in UTF-8");
  }

  @Test
  void thePublishedSchemaIsTheOneInTheResources() throws IOException {
    assertThat(ROOT.resolve("docs/reference/experiment.schema.json"))
        .hasContent(ExperimentSchema.text());
  }

  private static SpecificationException refusal(String document) {
    return catchThrowableOfType(
        SpecificationException.class, () -> SpecificationReader.read("bad.yaml", document));
  }

  @Test
  void anApplicationServerIsToldToBreakItself() {
    Fault.Schedule atOnce = Fault.Schedule.once(Duration.ZERO);
    Duration length = Duration.ofSeconds(90);

    assertThat(SCHEMA.errors(GOOD.replace("gc-pressure: app2", "cpu: app2"))).isEmpty();
    assertThat(faults("cpu")).contains(new Fault.ProcessorLoad("app2", atOnce, length));
    assertThat(faults("lock-convoy")).contains(new Fault.LockConvoy("app2", atOnce, length));
    assertThatThrownBy(() ->
            SpecificationReader.read(
                "bad.yaml", GOOD.replace("gc-pressure: app2", "lock-convoy: web1")))
        .hasMessageContaining("only application servers");
  }

  private static List<Fault> faults(String kind) {
    String document = GOOD.replace("gc-pressure: app2", kind + ": app2");
    return SpecificationReader.read("good.yaml", document).faults();
  }
}
