package org.terrace.experiment.spec;

import static org.assertj.core.api.Assertions.assertThat;
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
import org.terrace.experiment.ProcessorLimit;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.experiment.WebServer;
import org.terrace.nodes.fault.Fault;

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
      web: apache
      load: {closed: {users: 100, think: exp(2s)}, mix: browse-only}
      phases: {rampUp: 500ms, run: 1.5m, rampDown: 3s}
      faults:
        - {kill: app1, at: 10s, every: 20s, count: 3, restart: 5s}
        - {pause: database1, at: 2m, for: 10s}
        - {gc-pressure: app2, at: 0s, for: 90s}
      observe: {packets: false, sample: 500ms}
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
        .isEqualTo(new Experiment.Observe(false, Duration.ofMillis(500), 0));
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
      return files.filter(file -> file.toString().endsWith(".yaml")).toList().stream();
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
        new Bad("1/2/0/1", "1/2/1/1", 3, 11, "clustering middleware is not available yet", true),
        new Bad("1/2/0/1", "1/2/0/2", 3, 11, "several databases need clustering", true),
        new Bad("board", "shop", 4, 14, "unknown value 'shop' in application", true),
        new Bad("apache", "apachee", 6, 6, "did you mean 'apache'?", true),
        new Bad("users: 100,", "users: many,", 7, 24, "users is 'many', expected a whole", true),
        new Bad("users: 100,", "users: '100',", 7, 24, "quoted text '100'", true),
        new Bad("users: 100,", "users: 0,", 7, 24, "from 1 to 100000", true),
        new Bad("users: 100,", "user: 100,", 7, 17, "did you mean 'users'?", true),
        new Bad("exp(2s)", "2s", 7, 36, "think is '2s', expected a distribution", true),
        new Bad("exp(2s)", "exp(0s)", 7, 36, "think is 'exp(0s)'", false),
        new Bad("browse-only", "browse", 7, 51, "unknown value 'browse' in mix", true),
        new Bad("{closed: {users: 100, think: exp(2s)}, mix", "{mix", 7, 7, "exactly one", true),
        new Bad(
            "closed: {users: 100, think: exp(2s)}", "open: {rate: 0}", 7, 21, "rate is '0'", true),
        new Bad("run: 1.5m", "run: 90", 8, 30, "run is '90', expected a duration", true),
        new Bad("run: 1.5m", "run: 1ms", 8, 30, "from 1s to 24h", false),
        new Bad("run: 1.5m, ", "", 8, 9, "phases lacks 'run'", true),
        new Bad(
            "kill: app1", "kill: app3", 10, 12, "'app3', which topology 1/2/0/1 does not", false),
        new Bad("kill: app1", "kil: app1", 10, 6, "did you mean 'kill'?", true),
        new Bad("at: 10s, every", "at: 95s, every", 10, 5, "after the end of the run", false),
        new Bad(", restart: 5s", "", 10, 5, "the kill at 10s leaves it dead", false),
        new Bad("restart: 5s", "restart: 25s", 10, 5, "still holds it", false),
        new Bad(", count: 3", "", 10, 5, "needs both 'every' and 'count'", true),
        new Bad("at: 1m, for: 10s", "at: 1m, for: 40s", 11, 5, "after the end of the run", false),
        new Bad("at: 1m, for: 10s", "at: 1m", 11, 5, "a fault lacks 'for'", true),
        new Bad("gc-pressure: app2", "gc-pressure: web1", 12, 19, "only application servers", true),
        new Bad("packets: false", "packets: no", 13, 20, "packets is 'no', expected true", true),
        new Bad("sample: 500ms", "sample: 5ms", 13, 35, "from 100ms to 10m", false),
        new Bad("app2: {cpu: 2}", "app7: {cpu: 2}", 14, 45, "unknown server or tier 'app7'", false),
        new Bad("cpu: 0.5", "cpu: -1", 14, 21, "cpu is '-1', expected a number above 0", true),
        new Bad("app: 64m", "app: 64", 15, 13, "app is '64', expected a size", true),
        new Bad("scale: 0.002", "scale: 11", 16, 15, "above 0 and at most 10", true),
        new Bad("127.10", "127.300", 17, 10, "network is '127.300'", false),
        new Bad("127.10", "10.0", 17, 10, "network is '10.0'", true),
        new Bad("seed: 3", "seed: -3", 18, 7, "seed is '-3'", true),
        new Bad("p99 > 200ms", "p98 > 200ms", 19, 11, "'users p98 > 200ms' is no", true),
        new Bad("errors > 1%", "errors > 1ms", 19, 32, "compares errors with ms", true),
        new Bad("observe: {", "observe: [", 13, 40, "this is not YAML", false));
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
    assertThat(refusal.problems()).extracting(Problem::line).contains(3, 8, 18).isSorted();
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
}
