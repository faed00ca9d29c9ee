package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.experiment.mesh.MeshFile;
import org.terrace.experiment.mesh.MeshResults;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.testing.Seeds;

/**
 * A search on real servers: it runs what it is allowed, says what it found and saved, and with more
 * trials allowed goes on without running one again.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(600)
class SearchedMeshTest {
  /** Three configurations, of which a loaded machine may make one fail its checks. */
  private static final String SPECIFICATION =
      """
      kind: Mesh
      name: searched
      topologies: ["0/{1..3}/0/1"]
      load: {closed: {users: 4, think: exp(200ms)}, mix: browse-only}
      phases: {rampUp: 100ms, run: 1s, rampDown: 100ms}
      observe: {packets: false, sample: 500ms}
      data: {scale: 0.001, seed: 1}
      attempts: 1
      network: 127.29
      search: guided
      trials: 1
      prices: {servers: {normal: 1}, requests: {others: {within: 1s, revenue: 1}}}
      """;

  @TempDir private Path folder;

  @Test
  void aSearchRunsWhatItIsAllowedAndGoesOnWhenItIsAllowedMore() throws Exception {
    Path home = SourceTree.root().resolve("distribution/target/terrace");
    Assumptions.assumeTrue(
        Files.isDirectory(home.resolve("apps/board")) && Files.isDirectory(home.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    RandomGenerator random = Seeds.generator(Seeds.next("SearchedMeshTest"));

    MeshResults first = run(SPECIFICATION, random, 1);
    MeshTrial cheapest = ended(first).getFirst();
    String row = row(cheapest);
    MeshResults second = run(SPECIFICATION.replace("trials: 1", "trials: 2"), random, 2);

    assertThat(cheapest.configuration().topology()).isEqualTo("0/1/0/1");
    assertThat(ended(second)).extracting(MeshTrial::key).contains(cheapest.key());
    if (cheapest.isDone()) {
      assertThat(row(cheapest)).as("a valid trial is not run again").isEqualTo(row);
    }
  }

  /** Runs the mesh, and holds its words and results against each other. */
  private MeshResults run(String specification, RandomGenerator random, int trials)
      throws Exception {
    Files.writeString(folder.resolve("searched-mesh.yaml"), specification);
    MarkedCommand command = new MarkedCommand(folder, "run searched-mesh.yaml --out out", random);
    boolean ended = MarkedCommand.await(() -> !command.isAlive());
    assertThat(command.left()).as(command::output).isEmpty();
    assertThat(ended).as(command::output).isTrue();

    MeshResults results = MeshFile.readResults(folder.resolve("out").resolve(MeshFile.NAME));
    SearchAnswer answer = results.answer().orElseThrow();
    assertThat(answer.complete()).isTrue();
    assertThat(answer.ended()).isEqualTo(ended(results).size()).isBetween(1, trials);
    assertThat(answer.saved()).isEqualTo(3 - answer.ended());
    assertThat(command.output())
        .contains("next: the cheapest first".repeat(trials == 1 ? 1 : 0))
        .contains("ran " + answer.ended() + " of the 3 trials of the full mesh")
        .contains(answer.saved() + " were saved");
    if (!results.mesh().done().isEmpty()) {
      assertThat(answer.best()).hasSize(1);
      assertThat(command.output())
          .contains(answer.best().getFirst().configuration().label())
          .contains("n = 1");
    }
    boolean failed =
        results.mesh().trials().stream().anyMatch(trial -> trial.status() == Status.FAILED);
    assertThat(command.exitValue()).as(command::output).isEqualTo(failed ? 1 : 0);
    return results;
  }

  private static List<MeshTrial> ended(MeshResults results) {
    return results.mesh().trials().stream()
        .filter(trial -> trial.status() != Status.SKIPPED)
        .sorted(Comparator.comparing(trial -> trial.configuration().topology()))
        .toList();
  }

  private String row(MeshTrial trial) throws IOException {
    return Files.readString(
        folder.resolve("out").resolve(trial.folder()).resolve("mesh-trial.json"));
  }
}
