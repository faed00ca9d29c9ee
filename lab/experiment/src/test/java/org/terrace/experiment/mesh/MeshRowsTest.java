package org.terrace.experiment.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.experiment.spec.SpecificationReader;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.search.SearchChoice;

/** Rows of meshes whose trials are made up, in real directories. */
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

  @TempDir private Path directory;

  /** Runs one command to its end; the loads that it tried. */
  private List<Integer> command(String text, Function<PlannedTrial, TrialRow> outcome) {
    MeshSpecification mesh = SpecificationReader.readMesh("made-up.yaml", text);
    List<Integer> tried = new ArrayList<>();
    try (MeshFolder folder = MeshFolder.open(directory)) {
      MeshRows rows = MeshRows.read(directory, mesh, MadeUpTrials.SURROUNDINGS);
      Optional<SearchChoice> next = rows.course().next(rows.counted());
      while (next.isPresent()) {
        String key = rows.key(next.get().candidate());
        folder.begin(key);
        TrialRow row = outcome.apply(rows.planned(key));
        folder.finish(key, row, 1, Keep.DEFAULT);
        rows.put(key, row);
        tried.add(row.trial().users());
        next = rows.course().next(rows.counted());
      }
      rows.write(directory);
    }
    return tried;
  }

  private MeshResults results() {
    return MeshFile.readResults(directory.resolve(MeshFile.NAME));
  }

  /** A service that carries 50 users. */
  private static TrialRow carriesFifty(PlannedTrial trial) {
    return MadeUpTrials.done(trial, trial.users() <= 50 ? 0.99 : 0.5);
  }

  /**
   * Trials fail under one command, and the next finds what is so without them: the failures that it
   * had no need to try again say nothing in its answer.
   */
  @Test
  void theAnswerIsThatOfTheTrialsByWhichTheNextWasChosen() {
    assertThat(
            command(
                BISECTION,
                trial ->
                    trial.users() > 20 ? MadeUpTrials.failed(trial) : carriesFifty(trial)))
        .containsExactly(10, 80, 40, 20, 30);
    FoundCapacity first = results().answer().orElseThrow().capacities().getFirst();
    assertThat(first.mostUsers()).isEqualTo(20);
    assertThat(first.brokenUsers()).isEqualTo(30);
    assertThat(first.unmeasured()).isTrue();

    assertThat(command(BISECTION, MeshRowsTest::carriesFifty)).isNotEmpty();

    SearchAnswer answer = results().answer().orElseThrow();
    assertThat(answer.complete()).isTrue();
    assertThat(answer.capacities().getFirst().mostUsers()).isEqualTo(50);
    assertThat(answer.capacities().getFirst().brokenUsers()).isEqualTo(60);
    assertThat(answer.failed()).isZero();
    assertThat(results().mesh().trials()).extracting(MeshTrial::status).doesNotContain(Status.FAILED);
    assertThat(command(BISECTION, MeshRowsTest::carriesFifty)).as("nothing is left").isEmpty();
    assertThat(results().answer()).contains(answer);
  }
}
