package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;
import org.terrace.load.mix.WeightedRequest;
import org.terrace.nodes.setting.DeclaredMetrics;
import org.terrace.nodes.setting.DeclaredMetrics.Pool;
import org.terrace.nodes.setting.MetricSelector;
import org.terrace.nodes.setting.TierProgram;

class ProgramReaderTest {
  private static final Path EXPERIMENTS =
      Path.of(System.getProperty("terrace.root"), "experiments");
  private static final ExperimentSchema SCHEMA = new ExperimentSchema();
  private static final String GOOD =
      """
      kind: Experiment
      name: own
      topology: 1/2/0/1
      tiers:
        web:
          command: [java, -Dport=$TERRACE_PORT, own-service/Shop.java, '${TERRACE_NEXT}']
          ready: {http: /health, port: 9000, within: 5s}
          directory: own-service
          environment: {COLOUR: blue, MANY: 3}
          files: [Shop.java]
          metrics:
            port: 9100
            pools: {readers: {inUse: 'busy{of="stock"}', size: most}, lock: {inUse: held, size: 2}}
            keep: [queue, looks_total]
        app:
          command: [serve, $TERRACE_JDBC_URL]
      load:
        closed: {users: 10, think: exp(1s)}
        mix:
          - {path: /a?b=c, weight: 2.5}
          - {method: PUT, path: /d, body: "x: y", headers: {X-Colour: light blue}, class: put}
      phases: {run: 10s}
      """;

  private static Experiment read(String text) {
    return SpecificationReader.read(EXPERIMENTS.resolve("own.yaml").toString(), text);
  }

  private static MetricSelector metric(String name) {
    return MetricSelector.parse(name).orElseThrow();
  }

  private static SpecificationException refusal(String text) {
    return catchThrowableOfType(SpecificationException.class, () -> read(text));
  }

  @Test
  void programsAndRequestsAreAsWritten() {
    Experiment experiment = read(GOOD);

    TierProgram web = experiment.program(Tier.WEB).orElseThrow();
    assertThat(web.command()).element(3).isEqualTo("${TERRACE_NEXT}");
    assertThat(web.ready())
        .isEqualTo(
            new TierProgram.Ready(
                Optional.of("/health"), OptionalInt.of(9000), Duration.ofSeconds(5)));
    assertThat(web.directory()).isEqualTo(EXPERIMENTS.resolve("own-service"));
    assertThat(web.files()).containsExactly(EXPERIMENTS.resolve("own-service/Shop.java"));
    assertThat(web.environment()).isEqualTo(Map.of("COLOUR", "blue", "MANY", "3"));
    assertThat(web.metrics())
        .contains(
            new TierProgram.Metrics(
                "/metrics",
                OptionalInt.of(9100),
                new DeclaredMetrics(
                    Map.of(
                        "readers",
                        new Pool(
                            new MetricSelector("busy", Map.of("of", "stock")),
                            MetricSelector.parse("most"),
                            0),
                        "lock",
                        new Pool(metric("held"), Optional.empty(), 2)),
                    List.of(metric("queue"), metric("looks_total")))));
    TierProgram app = experiment.program(Tier.APP).orElseThrow();
    assertThat(app.directory()).isEqualTo(EXPERIMENTS);
    assertThat(app.ready().path()).isEmpty();
    assertThat(app.metrics()).isEmpty();
    assertThat(app.ready().within()).isEqualTo(Duration.ofSeconds(60));
    assertThat(experiment.requests())
        .containsExactly(
            new WeightedRequest("GET /a", "GET", "/a?b=c", null, Map.of(), 2.5),
            new WeightedRequest("put", "PUT", "/d", "x: y", Map.of("X-Colour", "light blue"), 1));
    assertThat(SCHEMA.errors(GOOD)).isEmpty();
  }

  @Test
  void variablesAreFilledInAndOthersLeftAlone() {
    Map<String, String> values = Map.of("TERRACE_PORT", "80", "TERRACE_NAME", "a$b");

    assertThat(TierProgram.filled("$TERRACE_PORT-${TERRACE_NAME}-$HOME-$TERRACE_PORTS", values))
        .isEqualTo("80-a$b-$HOME-$TERRACE_PORTS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"own-service.yaml", "own-service-mesh.yaml"})
  void theCommittedExamplesAreGood(String name) {
    Path file = EXPERIMENTS.resolve(name);
    String text = SpecificationReader.text(file);
    if (name.contains("mesh")) {
      assertThat(SpecificationReader.readMesh(file.toString(), text).trials()).hasSize(8);
    } else {
      assertThat(SpecificationReader.read(file).programs()).hasSize(2);
      assertThat(SCHEMA.errors(text)).isEmpty();
    }
  }

  @Test
  void theGuideShowsTheCommittedExample() throws IOException {
    String guide =
        Files.readString(EXPERIMENTS.resolveSibling("docs/guide/own-service-under-run.md"));
    String example = Files.readString(EXPERIMENTS.resolve("own-service.yaml"));

    assertThat(guide).contains("```yaml\n" + example.substring(example.indexOf("kind:")) + "```");
    TierProgram.VARIABLES.forEach(name -> assertThat(guide).contains("`" + name + "`"));
  }

  /** Each mistake is told with its line; those that a schema can tell, by the schema too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "command: [serve | comand: [serve | 16 | unknown key 'comand' in the program of app; did you mean 'command'? | true",
        "[serve, $TERRACE_JDBC_URL] | [] | 16 | the command of app is empty | true",
        "$TERRACE_JDBC_URL | $TERRACE_PROT | 16 | unknown variable 'TERRACE_PROT' in command; did you mean 'TERRACE_PORT'? | false",
        "topology: 1/2/0/1 | topology: 1/2/0/0 | 4 | the program of app uses $TERRACE_JDBC_URL, but topology 1/2/0/0 has no database of Terrace's | false",
        "topology: 1/2/0/1 | topology: 0/2/0/1 | 4 | tiers has a program for web, of which topology 0/2/0/1 has no server | false",
        "topology: 1/2/0/1 | topology: 1/2/1/1 | 3 | or tiers needs a program for middleware | false",
        "topology: 1/2/0/1 | topology: 1/2/0/3 | 3 | or tiers needs a program for database | false",
        "{COLOUR: blue | {TERRACE_PORT: 1 | 9 | 'TERRACE_PORT' in environment, expected a name | true",
        "[Shop.java] | [Shap.java] | 10 | own-service/Shap.java, which is no file | false",
        "directory: own-service | directory: nowhere | 8 | nowhere, which is no directory | false",
        "/health | health | 7 | http is 'health', expected a path such as /health | true",
        "port: 9000 | port: 90000 | 7 | expected a whole number from 1 to 65535 | true",
        "/a?b=c | a?b=c | 20 | path is 'a?b=c', expected path and query of a URL of the service | true",
        "/a?b=c | http://other/a | 20 | path is 'http://other/a', expected path and query | true",
        "/a?b=c | //other/a | 20 | path is '//other/a', expected path and query | true",
        "weight: 2.5 | weight: 0 | 20 | weight is '0', expected a number above 0 | true",
        "weight: 2.5 | weight: -1 | 20 | weight is '-1', expected a number above 0 | true",
        "weight: 2.5 | wait: 2.5 | 20 | unknown key 'wait' in a request of mix (expected one of: method, path, weight | true",
        "method: PUT | method: HEAD | 21 | unknown value 'HEAD' in method | true",
        "X-Colour: | Content-Length: | 21 | is set by the users themselves | false",
        "X-Colour: | 'X Colour': | 21 | 'X Colour' is no name of a header field | false",
        "size: most} | syze: most} | 13 | the pool readers lacks 'size' | true",
        "{inUse: held, size: 2} | {inUse: held, size: 0} | 13 | size is '0', expected a number above 0 | true",
        "{inUse: held, size: 2} | {inUse: held, size: '2'} | 13 | size is '2', expected the name of a metric | true",
        "lock: {inUse | cpu: {inUse | 13 | 'cpu' in pools, expected a name of small letters | true",
        "inUse: held | inUse: 'held{a=b}' | 13 | inUse is 'held{a=b}', expected the name of a metric, with labels | false",
        "[queue, looks_total] | [queue, 1] | 14 | keep is '1', expected the name of a metric | true",
        "[queue, looks_total] | [queue, queue] | 14 | keep names queue twice | true",
        "keep: [queue | kept: [queue | 14 | unknown key 'kept' in metrics | true",
        "port: 9100 | port: 0 | 12 | expected a whole number from 1 to 65535 | true",
      })
  void aMistakeIsToldWithItsLine(
      String good, String bad, int line, String message, boolean bySchema) {
    String text = GOOD.replace(good, bad);
    assertThat(text).isNotEqualTo(GOOD);

    assertThat(refusal(text))
        .hasMessageContaining("own.yaml:" + line + ":")
        .hasMessageContaining(message);
    assertThat(SCHEMA.errors(text).isEmpty()).isEqualTo(!bySchema);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "faults: [{gc-pressure: app1, at: 1s, for: 1s}] | gc-pressure of 'app1' needs the board's own servers",
        "faults: [{row-lock: database1, at: 1s, for: 1s}] | row-lock of 'database1' needs the board's own servers",
        "limits: {app: {threads: 4}} | threads, pool and backlog are of Terrace's own servers, but app is a program of its own",
        "heap: {web1: 64m} | 'heap' is of Terrace's own servers, but web1 is a program of its own",
        "application: board | 'application' is of Terrace's own servers",
        "data: {scale: 1} | 'data' is of Terrace's own servers",
        "web: apache | 'web' is of Terrace's own servers",
        "observe: {sessions: 3} | observe.sessions watches the board's sessions",
      })
  void whatIsTheBoardsIsRefused(String field, String message) {
    assertThat(refusal(GOOD + field + "\n")).hasMessageContaining(message);
  }

  @Test
  void faultsOfAProcessAreNot() {
    assertThat(
            read(GOOD + "faults: [{kill: app1, at: 1s}, {pause: web1, at: 1s, for: 1s}]").faults())
        .hasSize(2);
  }

  @Test
  void aProgramNeedsAMixOfRequests() {
    String text = GOOD.substring(0, GOOD.indexOf("  mix:")) + "phases: {run: 10s}\n";

    assertThat(refusal(text)).hasMessageContaining("load lacks a mix of requests");
    assertThat(SCHEMA.errors(text)).isNotEmpty();
  }

  @Test
  void theBoardNeedsItsOwnDatabase() {
    String text =
        GOOD.replace(
            "  app:\n    command: [serve, $TERRACE_JDBC_URL]\n", "  database: {command: [x]}\n");

    assertThat(refusal(text)).hasMessageContaining("the application is the board");
  }
}
