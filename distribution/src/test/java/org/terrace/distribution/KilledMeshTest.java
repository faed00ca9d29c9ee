package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.FileTree;
import org.terrace.mesh.MeshFile;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.testing.Seeds;

/**
 * A mesh, searched or whole, that is killed at a random moment: nothing that it started is left,
 * the same command goes on, and no trial that was valid is run again. {@code -Dterrace.meshKills=N}
 * does so more often.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(3_600)
@Tag("long")
class KilledMeshTest {
  private static final int KILLS = Integer.getInteger("terrace.meshKills", 1);
  private static final String WORDS = "run two-mesh.yaml --out out";
  private static final List<String> KILLED = List.of("kill -KILL %d", "kill -KILL -%d");

  /** Two trials, of which a loaded machine may make one fail its checks: it is recorded so. */
  private static final String SPECIFICATION =
      """
      kind: Mesh
      name: two
      topologies: [0/1/0/1]
      load: {closed: {users: [4, 6], think: exp(200ms)}, mix: browse-only}
      phases: {rampUp: 100ms, run: 1s, rampDown: 100ms}
      observe: {packets: false, sample: 500ms}
      data: {scale: 0.001, seed: 1}
      attempts: 1
      network: 127.27
      """;

  /**
   * A search of a mesh that is twice as large: one trial under each of the loads, of the cheapest,
   * which is not the first.
   */
  private static final String SEARCH =
      SPECIFICATION.replace("[0/1/0/1]", "[0/2/0/1, 0/1/0/1]")
          + """
          search: guided
          trials: 1
          prices: {servers: {normal: 1}, requests: {others: {within: 1s, revenue: 1}}}
          """;

  @TempDir private Path folder;

  /**
   * A point in a mesh's way, which a slow machine reaches later and no less surely.
   *
   * @param done the trials that are there by then
   * @param spreadNanos the longest time from there to the kill, about that of a trial
   */
  private record Milestone(int done, long spreadNanos) {
    private static final List<Milestone> ALL =
        List.of(
            new Milestone(0, 5_000_000_000L),
            new Milestone(1, 5_000_000_000L),
            new Milestone(1, 500_000_000L),
            new Milestone(2, 100_000_000L));
  }

  @Test
  void aKilledMeshLeavesNothingRunningAndGoesOnWhereItStopped() throws Exception {
    Path home = SourceTree.root().resolve("distribution/target/terrace");
    Assumptions.assumeTrue(
        Files.isDirectory(home.resolve("apps/board")) && Files.isDirectory(home.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    RandomGenerator random = Seeds.generator(Seeds.next("KilledMeshTest"));
    int first = random.nextInt(Milestone.ALL.size());
    for (int i = 0; i < KILLS; i++) {
      String mesh = random.nextBoolean() ? SEARCH : SPECIFICATION;
      Files.writeString(folder.resolve("two-mesh.yaml"), mesh);
      FileTree.delete(folder.resolve("out"));
      Milestone milestone = Milestone.ALL.get((first + i) % Milestone.ALL.size());
      kill(milestone, KILLED.get(random.nextInt(KILLED.size())), random);
    }
  }

  private void kill(Milestone milestone, String signal, RandomGenerator random) throws Exception {
    MarkedCommand command = new MarkedCommand(folder, WORDS, random);
    boolean reached =
        await(() ->
            !command.isAlive() || (Files.exists(trials()) && rows().size() >= milestone.done()));
    LockSupport.parkNanos(random.nextLong(milestone.spreadNanos()));
    boolean ended = command.end(signal);
    List<String> left = command.left();
    String what = "%s after %s: %s".formatted(signal, milestone, command.output());
    assertThat(reached).as(what).isTrue();
    assertThat(ended).as(what).isTrue();
    assertThat(left).as(what).isEmpty();
    Map<String, String> before = rows();

    MarkedCommand again = new MarkedCommand(folder, WORDS, random);
    assertThat(await(() -> !again.isAlive())).as(again::output).isTrue();

    what += "\nthen " + again.output();
    assertThat(again.left()).as(what).isEmpty();
    Mesh mesh = MeshFile.read(folder.resolve("out").resolve(MeshFile.NAME));
    assertThat(mesh.trials().stream().filter(trial -> trial.status() != Status.SKIPPED))
        .as(what)
        .extracting(trial -> trial.configuration().topology(), MeshTrial::users)
        .containsExactly(tuple("0/1/0/1", 4), tuple("0/1/0/1", 6));
    Map<String, String> after = rows();
    before.forEach((key, row) -> {
      if (row.contains("\"status\":\"done\"")) {
        assertThat(after).as("a valid trial is not run again").containsEntry(key, row);
      }
    });
    assertThat(trials().toFile().list()).as(what).hasSize(2);
  }

  /** Waits twice as long as for other commands: a mesh is two of them, one after the other. */
  private static boolean await(MarkedCommand.Condition condition) throws IOException {
    boolean holds = MarkedCommand.await(condition);
    return holds || MarkedCommand.await(condition);
  }

  private Path trials() {
    return folder.resolve("out/trials");
  }

  /** The rows of all trials that have ended, by their folder. */
  private Map<String, String> rows() throws IOException {
    Map<String, String> rows = new HashMap<>();
    if (Files.exists(trials())) {
      try (Stream<Path> entries = Files.list(trials())) {
        for (Path entry : entries.filter(each -> !each.toString().contains(".unf")).toList()) {
          Path row = entry.resolve("mesh-trial.json");
          if (Files.exists(row)) {
            rows.put(entry.getFileName().toString(), Files.readString(row));
          }
        }
      }
    }
    return rows;
  }
}
