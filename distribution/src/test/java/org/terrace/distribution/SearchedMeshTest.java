package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.mesh.MeshFile;
import org.terrace.mesh.MeshResults;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.testing.Seeds;

/**
 * A search on real servers: it runs what it is allowed, says what it found and saved, and with more
 * trials allowed goes on without running one again.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(600)
@Tag("long")
class SearchedMeshTest {
  /**
   * Three configurations under two loads, the cheapest last. A loaded machine may make a trial fail
   * its checks.
   */
  private static final String SPECIFICATION =
      """
      kind: Mesh
      name: searched
      topologies: ["0/3/0/1", "0/2/0/1", "0/1/0/1"]
      load: {closed: {users: [4, 6], think: exp(200ms)}, mix: browse-only}
      phases: {rampUp: 100ms, run: 1s, rampDown: 100ms}
      observe: {packets: false, sample: 500ms}
      data: {scale: 0.001, seed: 1}
      attempts: 1
      network: 127.29
      search: guided
      trials: 1
      prices: {servers: {normal: 1}, requests: {others: {within: 1s, revenue: 1}}}
      """;

  private static final String FILE = "searched-mesh.yaml";
  private static final String WORDS = "run " + FILE + " --out out";

  @TempDir private Path folder;

  @Test
  void aSearchRunsWhatItIsAllowedAndGoesOnWhenItIsAllowedMore() throws Exception {
    requireDistribution();
    RandomGenerator random = Seeds.generator(Seeds.next("SearchedMeshTest"));

    MeshResults first = run(SPECIFICATION, random, 1);
    Map<String, String> rows = new HashMap<>();
    for (MeshTrial each : ended(first)) {
      rows.put(each.key(), row(each));
    }
    MeshResults second = run(SPECIFICATION.replace("trials: 1", "trials: 2"), random, 2);

    assertThat(ended(first))
        .as("the cheapest under each load, and no other")
        .extracting(each -> each.configuration().topology(), MeshTrial::users)
        .containsExactly(tuple("0/1/0/1", 4), tuple("0/1/0/1", 6));
    for (MeshTrial each : ended(first)) {
      assertThat(row(each))
          .as("a trial that counts is not run again")
          .isEqualTo(rows.get(each.key()));
    }
    assertThat(ended(second)).hasSizeGreaterThanOrEqualTo(2);
  }

  /**
   * A trial fails, since one of its servers is killed, and the command in the next: the same
   * command goes on where it was, with what the failed trial has used.
   */
  @Test
  void aKilledSearchKeepsWhatAFailedTrialHasUsed() throws Exception {
    requireDistribution();
    RandomGenerator random = Seeds.generator(Seeds.next("SearchedMeshTest.killed"));
    Files.writeString(
        folder.resolve(FILE),
        SPECIFICATION
            .replace("users: [4, 6]", "users: 4")
            .replace("run: 1s", "run: 5s")
            .replace("trials: 1", "trials: 2"));
    MarkedCommand command = new MarkedCommand(folder, WORDS, random);
    boolean failed =
        MarkedCommand.await(() -> isUnderLoad() && command.killOneOf("BoardServer"))
            && MarkedCommand.await(() -> rows().size() == 1);
    boolean second = MarkedCommand.await(this::isUnderLoad);
    command.end("kill -KILL %d");
    assertThat(command.left()).as(command::output).isEmpty();
    assertThat(failed && second).as(command::output).isTrue();
    Map<String, String> before = rows();
    assertThat(before.values()).first().asString().contains("\"status\":\"failed\"");

    MarkedCommand again = new MarkedCommand(folder, WORDS, random);
    assertThat(MarkedCommand.await(() -> !again.isAlive())).as(again::output).isTrue();
    assertThat(again.left()).as(again::output).isEmpty();

    MeshResults results = MeshFile.readResults(folder.resolve("out").resolve(MeshFile.NAME));
    SearchAnswer answer = results.answer().orElseThrow();
    assertThat(answer.complete()).isTrue();
    assertThat(ended(results))
        .as(again::output)
        .extracting(each -> each.configuration().topology())
        .containsExactly("0/1/0/1", "0/2/0/1");
    assertThat(rows()).as(again::output).containsAllEntriesOf(before).hasSize(2);
    assertThat(again.exitValue()).as("a trial failed").isEqualTo(1);
  }

  /** Whether a trial has its servers, and its load begins. */
  private boolean isUnderLoad() throws IOException {
    Path trials = folder.resolve("out/trials");
    if (!Files.exists(trials)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(trials)) {
      for (Path entry : entries.filter(each -> each.toString().endsWith(".unfinished")).toList()) {
        String[] load = entry.resolve("load").toFile().list();
        if (load != null && load.length > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** The rows of all trials that have ended, by the names of their folders. */
  private Map<String, String> rows() throws IOException {
    Map<String, String> rows = new HashMap<>();
    Path trials = folder.resolve("out/trials");
    if (Files.exists(trials)) {
      try (Stream<Path> entries = Files.list(trials)) {
        for (Path entry : entries.filter(each -> !each.toString().contains(".")).toList()) {
          rows.put(
              entry.getFileName().toString(), Files.readString(entry.resolve("mesh-trial.json")));
        }
      }
    }
    return rows;
  }

  private static void requireDistribution() {
    Path home = SourceTree.root().resolve("distribution/target/terrace");
    Assumptions.assumeTrue(
        Files.isDirectory(home.resolve("apps/board")) && Files.isDirectory(home.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  /** Runs the mesh, and holds its words and results against each other. */
  private MeshResults run(String specification, RandomGenerator random, int trials)
      throws Exception {
    Files.writeString(folder.resolve(FILE), specification);
    MarkedCommand command = new MarkedCommand(folder, WORDS, random);
    boolean ended = MarkedCommand.await(() -> !command.isAlive());
    assertThat(command.left()).as(command::output).isEmpty();
    assertThat(ended).as(command::output).isTrue();

    MeshResults results = MeshFile.readResults(folder.resolve("out").resolve(MeshFile.NAME));
    SearchAnswer answer = results.answer().orElseThrow();
    assertThat(answer.complete()).isTrue();
    assertThat(answer.ended()).isEqualTo(ended(results).size()).isBetween(2, 2 * trials);
    assertThat(answer.saved()).isEqualTo(6 - answer.ended());
    assertThat(command.output())
        .contains("next: the cheapest first".repeat(trials == 1 ? 1 : 0))
        .contains("ran " + answer.ended() + " of the 6 trials of the full mesh")
        .contains(answer.saved() + " were saved");
    assertThat(answer.best().size() + answer.unmeasured().size()).isEqualTo(2);
    for (FoundBest best : answer.best()) {
      assertThat(command.output())
          .contains("At %d users %s ".formatted(best.users(), best.configuration().topology()))
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
        .sorted(
            Comparator.comparing((MeshTrial trial) -> trial.configuration().topology())
                .thenComparingInt(MeshTrial::users))
        .toList();
  }

  private String row(MeshTrial trial) throws IOException {
    return Files.readString(
        folder.resolve("out").resolve(trial.folder()).resolve("mesh-trial.json"));
  }
}
