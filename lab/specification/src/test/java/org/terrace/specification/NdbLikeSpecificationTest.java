package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Topology;

/** Experiments and meshes of SQL nodes before data nodes. */
class NdbLikeSpecificationTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final ExperimentSchema SCHEMA = new ExperimentSchema();

  private static final String TEXT =
      """
      kind: Experiment
      name: nodes
      topology: 1/2/2/4
      database: ndb-like
      load: {closed: {users: 10, think: exp(1s)}}
      phases: {run: 10s}
      """;

  private static Experiment read(String text) {
    return SpecificationReader.read("nodes.yaml", text);
  }

  @Test
  void theThirdNumberIsThatOfSqlNodesAndTheFourthOfDataNodes() {
    Experiment experiment = read(TEXT);
    assertThat(experiment.isNdbLike()).isTrue();
    assertThat(experiment.topology()).isEqualTo(new Topology(1, 2, 2, 4));
    assertThat(SCHEMA.errors(TEXT)).isEmpty();
    assertThat(read(TEXT.replace("ndb-like", "mariadb").replace("2/4", "1/4")).isNdbLike())
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1/2/0/4  | number is that of SQL nodes, which has to be 1 or more
          1/2/2/1  | number is that of data nodes, which has to be 2 or 4
          1/2/2/3  | number is that of data nodes, which has to be 2 or 4
          1/2/2/5  | number is that of data nodes, which has to be 2 or 4
          1/2/2/6  | number is that of data nodes, which has to be 2 or 4
          1/2/2/4L | low-cost nodes are not available yet
          """)
  void othersAreRefusedWithTheirLine(String topology, String words) {
    String text = TEXT.replace("1/2/2/4", topology);
    assertThatThrownBy(() -> read(text)).hasMessageContainingAll("nodes.yaml:3:11", words);
    assertThat(SCHEMA.errors(text)).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {row-lock: database1, at: 1s, for: 1s}      | a data node has a part of them
          {checkpoint: database1, at: 1s, dirty: 1m}  | a data node has a part of them
          {kill: database2, at: 1s, restart: 1s}      | a data node that was lost stays away
          """)
  void faultsThatNodesCannotTakeAreRefused(String fault, String words) {
    assertThatThrownBy(() -> read(TEXT + "faults: [" + fault + "]\n"))
        .hasMessageContainingAll("nodes.yaml:7:1", words);
  }

  @Test
  void aDataNodeMayBeKilledAndAnSqlNodeMayComeBack() {
    String faults =
        "faults: [{kill: database2, at: 1s}, {kill: middleware1, at: 1s, restart: 1s}]\n";
    assertThat(read(TEXT + faults).faults()).hasSize(2);
  }

  @Test
  void aProgramOfTheUsersOwnHasNoTablesToSpread() {
    String text =
        TEXT.replace(
                "{users: 10, think: exp(1s)}}", "{users: 10, think: exp(1s)}, mix: [{path: /}]}")
            + "tiers: {app: {command: [sh, -c, true], ready: {port: true}}}\n";
    assertThatThrownBy(() -> read(text))
        .hasMessageContaining("the database ndb-like is for the board");
  }

  @Test
  void aMeshNamesThemByALetter() {
    MeshSpecification mesh =
        SpecificationReader.readMesh(
            "mesh.yaml",
            """
            kind: Mesh
            name: nodes
            topologies: ["1/2/2/{2,4}N", "1/2/1/2M"]
            load: {closed: {users: [10], think: exp(1s)}}
            phases: {run: 10s}
            observe: {packets: false}
            """);
    assertThat(mesh.trials())
        .extracting(trial -> trial.configuration().label())
        .containsExactly("1/2/2/2 ndb-like", "1/2/2/4 ndb-like", "1/2/1/2 mariadb");
  }

  @Test
  void theExampleIsOne() {
    assertThat(SpecificationReader.read(ROOT.resolve("experiments/ndb-like.yaml")).isNdbLike())
        .isTrue();
  }
}
