package org.terrace.experiment.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.SearchAnswer;

/** Answers of meshes whose trials are made up, in real directories. */
class MeshRowsTest {
  private static final String BISECTION =
      """
      kind: Mesh
      name: made-up
      topologies: ["0/1/0/1"]
      load: {closed: {users: {from: 10, to: 80, step: 10}, think: exp(1s)}, mix: read-write}
      phases: {run: 10s}
      observe: {packets: false}
      search: bisection
      agreement: {within: 1s, share: 0.95}
      """;

  @TempDir private Path folder;

  /** A service that carries 50 users. */
  private static TrialRow carriesFifty(PlannedTrial trial) {
    return MadeUpTrials.done(trial, trial.users() <= 50 ? 0.99 : 0.5);
  }

  /**
   * Trials fail in one round, and the next finds what is so without them: the failures that it had
   * no need to try again say nothing in its answer.
   */
  @Test
  void theAnswerIsThatOfTheTrialsByWhichTheNextWasChosen() {
    AtomicBoolean busy = new AtomicBoolean(true);
    MeshCommands commands =
        new MeshCommands(
            folder,
            (trial, before) ->
                busy.get() && trial.users() > 20
                    ? MadeUpTrials.failed(trial)
                    : carriesFifty(trial));

    FoundCapacity first = capacity(commands.run(BISECTION));
    assertThat(first.mostUsers()).isEqualTo(20);
    assertThat(first.brokenUsers()).isEqualTo(30);
    assertThat(first.unmeasured()).isTrue();

    busy.set(false);
    MeshResults second = commands.run(BISECTION);

    SearchAnswer answer = second.answer().orElseThrow();
    assertThat(answer.complete()).isTrue();
    assertThat(capacity(second).mostUsers()).isEqualTo(50);
    assertThat(capacity(second).brokenUsers()).isEqualTo(60);
    assertThat(answer.failed()).isZero();
    assertThat(second.mesh().trials()).extracting(MeshTrial::status).doesNotContain(Status.FAILED);
    assertThat(MeshFile.readResults(commands.directory().resolve(MeshFile.NAME))).isEqualTo(second);
    int ended = commands.path().size();
    assertThat(commands.run(BISECTION).answer()).contains(answer);
    assertThat(commands.path()).as("nothing is left to run").hasSize(ended);
  }

  private static FoundCapacity capacity(MeshResults results) {
    return results.answer().orElseThrow().capacities().getFirst();
  }
}
