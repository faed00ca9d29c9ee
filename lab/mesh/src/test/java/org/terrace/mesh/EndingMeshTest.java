package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.study.Validity;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialOptions;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;
import org.terrace.specification.SpecificationReader;

/** A mesh whose server ends in the middle of a trial, as all do when the command is interrupted. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class EndingMeshTest {
  @TempDir private Path directory;

  private final List<String> failed = new ArrayList<>();

  /** The validity of each attempt as its findings were to tell it. */
  private final List<List<Validity>> written = new ArrayList<>();

  private final MeshListener listener =
      new MeshListener() {
        @Override
        public void failed(PlannedTrial trial, String reason) {
          failed.add(reason);
        }
      };

  private static String text() {
    return """
    kind: Mesh
    name: ending
    topologies: [0/1/0/0]
    tiers:
      app:
        command: [timeout, '4', '%s', -XX:TieredStopAtLevel=1, -Xmx64m, -cp, '%s', org.terrace.mesh.PlantedServer, lock]
        ready: {http: /health}
    load: {closed: {users: 2, think: exp(20ms)}, mix: [{path: /work, weight: 1}]}
    phases: {rampUp: 1s, run: 5s, rampDown: 1s}
    observe: {packets: false, sample: 500ms}
    attempts: 2
    network: 127.61
    """
        .formatted(JavaCommand.program(), System.getProperty("java.class.path"));
  }

  /** Runs the mesh; the reason for which it ended early, if it did. */
  private Optional<String> run(boolean isEnding) throws InterruptedException {
    String classpath = System.getProperty("java.class.path");
    TrialOptions options = new TrialOptions(JavaCommand.program(), classpath, classpath, classpath);
    MeshSpecification mesh = SpecificationReader.readMesh("ending.yaml", text());
    TimeSource time = TimeSource.system();
    TrialAttempts attempts =
        new TrialAttempts(
            options,
            (_, analysis, _, _) -> written.add(analysis.result().findings().validity()),
            listener,
            time,
            () -> isEnding);
    try {
      new MeshRunner(_ -> MadeUpTrials.SURROUNDINGS, attempts, listener, time)
          .run(mesh, text(), directory);
      return Optional.empty();
    } catch (TerraceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Test
  void anAttemptThatFailsItsChecksAsTheCommandEndsNeitherCountsNorIsRepeated() throws Exception {
    Optional<String> reason = run(true);

    assertThat(reason.orElse("")).startsWith("interrupted: ").contains("servers-alive");
    assertThat(failed).isEmpty();
    String key =
        MadeUpTrials.SURROUNDINGS.key(
            SpecificationReader.readMesh("ending.yaml", text()).trials().getFirst());
    assertThat(MeshFolder.row(directory, key)).isEmpty();
    assertThat(directory.resolve(MeshFolder.relative(key) + ".attempt-1")).doesNotExist();
  }

  @Test
  void oneThatFailsThemByItselfIsRepeatedAndCounts() throws Exception {
    Optional<String> reason = run(false);

    assertThat(reason).isEmpty();
    assertThat(failed).singleElement().asString().contains("servers-alive");
    assertThat(MeshFile.read(directory.resolve(MeshFile.NAME)).trials())
        .singleElement()
        .satisfies(trial -> assertThat(trial.status()).isEqualTo(Status.FAILED));
  }

  /** Results of trials are read and compared by themselves, too, where no row of a mesh is. */
  @Test
  void eachCheckThatDecidesWhetherAnAttemptCountsIsInItsFindingsAndItsFile() throws Exception {
    run(false);

    assertThat(written)
        .hasSize(2)
        .allSatisfy(checks -> {
          assertThat(checks)
              .filteredOn(check -> !check.passed())
              .extracting(Validity::check)
              .contains("servers-alive");
          assertThat(checks).extracting(Validity::check).contains(MachineHadRoom.CHECK);
        });
    Path trial =
        directory
            .resolve(MeshFile.read(directory.resolve(MeshFile.NAME)).trials().getFirst().folder())
            .resolve(Trial.FILE);
    assertThat(trial)
        .content()
        .containsOnlyOnce("\"" + MachineHadRoom.CHECK + "\"")
        .containsOnlyOnce("\"servers-alive\"");
  }
}
