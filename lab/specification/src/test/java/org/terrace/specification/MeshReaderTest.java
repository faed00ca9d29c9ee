package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.experiment.Experiment;
import org.terrace.nodes.setting.ProcessorLimit;
import org.terrace.nodes.setting.WebServer;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.scaling.search.Agreement;
import org.terrace.scaling.search.SearchRules;

class MeshReaderTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final String GOOD =
      """
      kind: Mesh
      name: small # a comment decides nothing
      topologies: ["1/{1..2}/0/1", 0/1/0/1L]
      nodeTypes:
        L: {cpu: 0.25, calibrated: true, heap: 64m}
        fast: {cpu: 2, memory: 1g, disk: 8m, network: 4m}
      nodes: {app: fast}
      load: {closed: {users: {from: 20, to: 60, step: 20}, think: exp(500ms)}, mix: read-write}
      vary:
        web: [proxy, apache]
        data.scale: [0.001]
      phases: {rampUp: 1s, run: 10s, rampDown: 1s}
      observe: {packets: false}
      repeat: 2
      attempts: 3
      keep: {packets: failed, tables: false, budget: 2g}
      seed: 7
      fail-if: ["users p99 > 1s"]
      """;

  private static MeshSpecification read(String text) {
    return SpecificationReader.readMesh("mesh.yaml", text);
  }

  @Test
  void aMeshIsTheProductOfWhatItVaries() {
    MeshSpecification mesh = read(GOOD);

    assertThat(mesh.name()).isEqualTo("small");
    assertThat(mesh.attempts()).isEqualTo(3);
    assertThat(mesh.keep()).isEqualTo(new Keep(Keep.Packets.FAILED, false, 2L << 30));
    assertThat(mesh.trials()).hasSize(3 * 2 * 3 * 2);
    assertThat(mesh.trials())
        .extracting(trial -> trial.configuration().topology())
        .containsOnly("1/1/0/1", "1/2/0/1", "0/1/0/1");
    assertThat(mesh.trials()).extracting(PlannedTrial::users).containsOnly(20, 40, 60);
    PlannedTrial last = mesh.trials().getLast();
    assertThat(last.label())
        .isEqualTo(
            "0/1/0/1 postgresql app=fast database=L data.scale=0.001 web=apache, 60 users, repeat"
                + " 2");
    Experiment experiment = last.experiment();
    assertThat(experiment.name()).isEqualTo("small");
    assertThat(experiment.seed()).isEqualTo(8);
    assertThat(experiment.web()).isEqualTo(WebServer.APACHE);
    assertThat(experiment.data().scale()).isEqualTo(0.001);
    assertThat(experiment.cpuLimits())
        .isEqualTo(
            Map.of(
                "database", new ProcessorLimit(0.25, true), "app", new ProcessorLimit(2, false)));
    assertThat(experiment.memoryBytes()).isEqualTo(Map.of("app", 1L << 30));
    assertThat(experiment.diskBytesPerSecond()).isEqualTo(Map.of("app", 8L << 20));
    assertThat(experiment.networkBytesPerSecond()).isEqualTo(Map.of("app", 4L << 20));
    assertThat(experiment.heapBytes()).isEmpty();
    assertThat(last.configuration().nodes()).isEqualTo(Map.of("fast", 1, "L", 1));
  }

  @Test
  void eachTrialIsASpecificationOfItsOwn() {
    for (PlannedTrial trial : read(GOOD).trials()) {
      assertThat(SpecificationReader.read("trial.yaml", trial.specification()))
          .isEqualTo(trial.experiment());
    }
  }

  @Test
  void theOrderOfRunsIsRandomWithinEachRepeatAndFollowsFromTheSeed() {
    MeshSpecification mesh = read(GOOD);
    List<PlannedTrial> order = mesh.runOrder();

    assertThat(order).containsExactlyInAnyOrderElementsOf(mesh.trials());
    assertThat(order).isEqualTo(read(GOOD).runOrder());
    assertThat(order.subList(0, 18)).allMatch(trial -> trial.repeat() == 0);
    assertThat(order.subList(18, 36)).allMatch(trial -> trial.repeat() == 1);
    assertThat(order).isNotEqualTo(read(GOOD.replace("seed: 7", "seed: 8")).runOrder());
    List<PlannedTrial> first = mesh.trials().stream().filter(t -> t.repeat() == 0).toList();
    assertThat(order.subList(0, 18)).isNotEqualTo(first);
  }

  /** Loads of one configuration and repeat follow one another, not in their order. */
  @Test
  void trialsThatShareServersFollowOneAnother() {
    List<PlannedTrial> order = read(GOOD).runOrder();
    boolean rising = true;
    for (int i = 0; i < order.size(); i += 3) {
      List<PlannedTrial> group = order.subList(i, i + 3);
      assertThat(group).allMatch(PlannedTrial::sharesServers);
      assertThat(group)
          .extracting(PlannedTrial::configuration)
          .containsOnly(group.getFirst().configuration());
      assertThat(group).extracting(PlannedTrial::repeat).containsOnly(group.getFirst().repeat());
      assertThat(group).extracting(PlannedTrial::users).containsExactlyInAnyOrder(20, 40, 60);
      rising &= group.getFirst().users() == 20 && group.getLast().users() == 60;
    }
    assertThat(rising).as("growth of the data would look like an effect of the load").isFalse();
  }

  @Test
  void whatLeavesTracesHasServersOfItsOwn() {
    String each = GOOD + "deployment: each\n";
    assertThat(read(each).trials()).noneMatch(PlannedTrial::sharesServers);
    assertThat(contents(each))
        .as("it is part of the key")
        .doesNotContainAnyElementsOf(contents(GOOD));
    assertThat(contents(GOOD + "deployment: shared\n")).isEqualTo(contents(GOOD));
    for (String own :
        List.of(
            GOOD + "faults: [{pause: app1, at: 1s, for: 1s}]\n",
            GOOD.replace("packets: false", "packets: true"),
            GOOD.replace("packets: false", "packets: false, sessions: 1"))) {
      assertThat(read(own).trials()).as(own).noneMatch(PlannedTrial::sharesServers);
      assertThat(contents(own)).isEqualTo(contents(own + "deployment: each\n"));
    }
  }

  @Test
  void onlyWhatDecidesATrialIsInItsContent() {
    Set<String> contents = contents(GOOD);

    assertThat(contents).hasSize(36);
    assertThat(contents(GOOD.replace("a comment", "another"))).isEqualTo(contents);
    assertThat(contents(GOOD.replace("name: small", "name: other"))).isEqualTo(contents);
    assertThat(contents(GOOD.replace("> 1s", "> 2s"))).isEqualTo(contents);
    assertThat(contents(GOOD.replace("budget: 2g", "budget: 1g"))).isEqualTo(contents);
    assertThat(
            contents(
                GOOD.replace(
                    "{rampUp: 1s, run: 10s, rampDown: 1s}",
                    "{run: 10s, rampDown: 1s, rampUp: 1s}")))
        .isEqualTo(contents);
    assertThat(contents(GOOD.replace("run: 10s", "run: 11s")))
        .doesNotContainAnyElementsOf(contents);
    assertThat(contents(GOOD.replace("packets: false", "packets: true")))
        .doesNotContainAnyElementsOf(contents);
    assertThat(contents(GOOD.replace("to: 60", "to: 80"))).hasSize(48).containsAll(contents);
    assertThat(contents(GOOD.replace("cpu: 2,", "cpu: 3,"))).doesNotContainAnyElementsOf(contents);
  }

  private static Set<String> contents(String text) {
    Set<String> contents = new HashSet<>();
    read(text).trials().forEach(trial -> contents.add(trial.repeat() + trial.content()));
    return contents;
  }

  @Test
  void usersAreOneNumberAListOrARange() {
    String range = "{from: 20, to: 60, step: 20}";
    assertThat(read(GOOD.replace(range, "[5, 10]")).trials()).hasSize(24);
    assertThat(read(GOOD.replace(range, "5")).trials()).hasSize(12);
    assertThat(read(GOOD.replace("to: 60", "to: 59")).trials()).hasSize(24);
  }

  static Stream<List<String>> wrong() {
    return Stream.of(
        List.of("1/{1..2}/0/1", "1/{2..1}/0/1", "mesh.yaml:3:14", "expected web/app/middleware"),
        List.of("1/{1..2}/0/1", "1/2/0", "mesh.yaml:3:14", "topologies has '1/2/0'"),
        List.of("0/1/0/1L", "0/1/3/1", "mesh.yaml:3:30", "topology is '0/1/3/1'"),
        List.of("{from: 20, to: 60, step: 20}", "[20, many]", "mesh.yaml:8:", "users is 'many'"),
        List.of("{from: 20, to: 60, step: 20}", "[20, 20]", "mesh.yaml:1:1", "in the mesh twice"),
        List.of("from: 20", "from: 70", "mesh.yaml:8:", "which is less"),
        List.of("step: 20", "stride: 20", "mesh.yaml:8:", "lacks 'step'"),
        List.of("data.scale: [0.001]", "data.scal: [1]", "mesh.yaml:11:", "unknown key 'scal'"),
        List.of("data.scale: [0.001]", "data.scale: [0]", "mesh.yaml:11:16", "scale is '0'"),
        List.of("data.scale: [0.001]", "seed: [1, 2]", "mesh.yaml:11:", "cannot be varied"),
        List.of("data.scale: [0.001]", "topology: [a]", "mesh.yaml:11:", "cannot be varied"),
        List.of("data.scale: [0.001]", "nodes.app: [huge]", "mesh.yaml:11:", "node type 'huge'"),
        List.of("heap: 64m", "network: 64", "mesh.yaml:5:", "network is '64', expected a size"),
        List.of("heap: 64m", "disk: 64", "mesh.yaml:5:", "disk is '64', expected a size"),
        List.of("{app: fast}", "{app: slow}", "mesh.yaml:7:", "unknown node type 'slow'"),
        List.of("  L: {", "  X: {", "mesh.yaml:3:30", "which nodeTypes lacks"),
        List.of("seed: 7", "limits: {app: {cpu: 1}}", "mesh.yaml:17:15", "so has its node type"),
        List.of("run: 10s", "run: ten", "mesh.yaml:12:", "run is 'ten'"),
        List.of("repeat: 2", "repeat: 900", "mesh.yaml:1:1", "the mesh has 16200 trials"),
        List.of("repeat: 2", "topology: 1/1/0/1", "mesh.yaml:14:1", "a mesh has 'topologies'"),
        List.of("packets: failed", "packets: some", "mesh.yaml:16:", "value 'some'"),
        List.of("closed: {users", "open: {rate", "mesh.yaml:8:", "a mesh counts users"));
  }

  @ParameterizedTest
  @MethodSource
  void wrong(List<String> fault) {
    String text = GOOD.replace(fault.get(0), fault.get(1));
    assertThat(text).isNotEqualTo(GOOD);

    SpecificationException failure =
        catchThrowableOfType(SpecificationException.class, () -> read(text));

    assertThat(failure).isNotNull();
    assertThat(failure.getMessage()).contains(fault.get(3));
    assertThat(failure.getMessage().lines()).anyMatch(line -> line.startsWith(fault.get(2)));
  }

  private static final String PRICED =
      """
      kind: Mesh
      name: priced
      topologies: ["0/{1..3}/1/{1..3}"]
      load: {closed: {users: [10, 20], think: exp(1s)}, mix: read-write}
      phases: {run: 10s}
      observe: {packets: false}
      repeat: 2
      seed: 9
      search: guided
      trials: 5
      prices:
        servers: {normal: 0.2}
        requests:
          others: {within: 1s, revenue: 0.001, penalty: 0.002}
      """;

  private static final String AGREED = "agreement: {within: 250ms, share: 0.95}\n";

  /** Terms of a class that is misspelt. */
  private static final String STORY = "ViewStori: {within: 1s, revenue: 1}\n    ";

  @Test
  void aMeshSaysWhatItLooksFor() {
    SearchRules rules = read(PRICED).search();
    assertThat(rules.method()).isEqualTo(SearchMethod.GUIDED);
    assertThat(rules.mostTrials()).isEqualTo(5);
    assertThat(rules.seed()).isEqualTo(9);
    assertThat(rules.prices()).isNotNull();
    assertThat(read(PRICED.replace("search: guided", "search: random")).search().method())
        .isEqualTo(SearchMethod.RANDOM);
    String bisection = PRICED.replace("search: guided\ntrials: 5\n", AGREED);
    assertThat(read(bisection).search().method()).isEqualTo(SearchMethod.BISECTION);
    assertThat(read(bisection).search().agreement()).isEqualTo(new Agreement(250, 0.95));
    assertThat(read(GOOD).search().method()).isEqualTo(SearchMethod.FULL);
    assertThat(read(GOOD).search().asks()).isFalse();
  }

  @Test
  void aMeshWithPricesIsSearchedByGuidanceInAQuarterOfItsConfigurations() {
    assertThat(read(PRICED.replace("search: guided\ntrials: 5\n", "")).search().mostTrials())
        .isEqualTo(4);
    String wide = PRICED.replace("1/{1..3}\"", "1/{1..9}\"");
    SearchRules guided = read(wide.replace("search: guided\ntrials: 5\n", "")).search();
    assertThat(guided.method()).isEqualTo(SearchMethod.GUIDED);
    assertThat(guided.mostTrials()).isEqualTo(7);
    String random = wide.replace("guided\ntrials: 5", "random");
    assertThat(read(random).search().mostTrials()).isEqualTo(14);
  }

  @Test
  void aMeshOfDifferentKindsOfServersIsSearchedByImprovement() {
    String kinds =
        PRICED.replace("search: guided\ntrials: 5\n", "vary: {database: [postgresql, mariadb]}\n");
    assertThat(read(kinds).search().method()).isEqualTo(SearchMethod.IMPROVEMENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"guided", "improvement", "random"})
  void usersWhoDoNotThinkAreNotSearchedFor(String method) {
    String hasty = PRICED.replace("exp(1s)", "const(0s)").replace("guided", method);
    assertThatThrownBy(() -> read(hasty)).hasMessageContaining("users who do not think");
  }

  @Test
  void whatAMeshLooksForDecidesNoTrial() {
    Set<String> contents = contents(PRICED);
    assertThat(contents(PRICED.replace("guided", "full").replace("trials: 5\n", "")))
        .isEqualTo(contents);
    assertThat(contents(PRICED.replace("0.001", "0.003"))).isEqualTo(contents);
    assertThat(contents(PRICED.replace("search: guided\ntrials: 5\n", AGREED))).isEqualTo(contents);
  }

  static Stream<List<String>> wrongSearch() {
    String noPrices = PRICED.substring(PRICED.indexOf("prices:"));
    return Stream.of(
        List.of("guided", "guide", "mesh.yaml:9:9", "value 'guide'"),
        List.of(noPrices, "", "mesh.yaml:9:1", "lacks 'prices'"),
        List.of("search: guided", "search: full", "mesh.yaml:10:1", "this is search: full"),
        List.of("search: guided", "search: bisection", "mesh.yaml:9:1", "lacks 'agreement'"),
        List.of("trials: 5", "trials: 0", "mesh.yaml:10:9", "expected a whole number from 1"),
        List.of("trials: 5", AGREED, "mesh.yaml:10:1", "an agreement is for search: bisection"),
        List.of("trials: 5", "agreement: {share: 2}", "mesh.yaml:10:", "lacks 'within'"),
        List.of("trials: 5", "agreement: {share: 2}", "mesh.yaml:10:20", "share is '2'"),
        List.of("normal: 0.2", "normal: cheap", "mesh.yaml:12:21", "no amount"),
        List.of("normal: 0.2", "large: 0.2", "mesh.yaml:11:1", "no price for a server of type"),
        List.of("others:", "StoreStory:", "mesh.yaml:11:1", "expected 'others' under requests"),
        List.of("revenue: 0.001", "revenue: 0", "mesh.yaml:11:1", "none has a revenue above 0"),
        List.of("others:", STORY + "others:", "mesh.yaml:11:1", "did you mean 'ViewStory'?"),
        List.of("revenue: 0.001", "revenu: 1", "mesh.yaml:14:", "unknown key 'revenu'"),
        List.of("exp(1s)", "const(0s)", "mesh.yaml:4:1", "users who do not think"),
        List.of("guided\ntrials: 5", "random\ntrials: 1", "mesh.yaml:10:1", "runs all 2 repeats"),
        List.of(
            "trials: 5",
            "vary: {database: [postgresql, mariadb]}",
            "mesh.yaml:9:1",
            "servers of one kind"),
        List.of(
            "trials: 5",
            "vary: {load.closed.think: [exp(1s), exp(2s)]}",
            "mesh.yaml:10:1",
            "compares configurations under the same load"),
        List.of(
            "trials: 5",
            "vary: {load.mix: [read-write, browse-only]}",
            "mesh.yaml:10:1",
            "load.mix is varied"),
        List.of(
            "guided\ntrials: 5\nprices:",
            "full\nvary: {load.mix: [read-write, browse-only]}\nprices:\n"
                + "  day: [{at: \"00:00\", users: 10}]",
            "mesh.yaml:11:1",
            "which does not say which of the loads"),
        List.of("trials: 5", "vary: {search: [full]}", "mesh.yaml:10:8", "no field of an exp"));
  }

  @ParameterizedTest
  @MethodSource
  void wrongSearch(List<String> fault) {
    String text = PRICED.replace(fault.get(0), fault.get(1));
    assertThat(text).isNotEqualTo(PRICED);

    SpecificationException failure =
        catchThrowableOfType(SpecificationException.class, () -> read(text));

    assertThat(failure).isNotNull();
    assertThat(failure.getMessage()).contains(fault.get(3));
    assertThat(failure.getMessage().lines()).anyMatch(line -> line.startsWith(fault.get(2)));
  }

  @Test
  void theMeshesThatAreShippedCanBeRead() throws IOException {
    List<Path> meshes;
    try (Stream<Path> files = Files.list(ROOT.resolve("experiments"))) {
      meshes = files.filter(file -> file.toString().endsWith("-mesh.yaml")).toList();
    }
    assertThat(meshes).isNotEmpty();
    for (Path file : meshes) {
      String text = SpecificationReader.text(file);
      assertThat(SpecificationReader.readMesh(file.toString(), text).trials()).isNotEmpty();
    }
  }
}
