package org.terrace.mesh.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;
import org.terrace.mesh.MeshFile;
import org.terrace.mesh.MeshListener;
import org.terrace.mesh.MeshRunner;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.specification.SpecificationReader;

/** Meshes in which the servers of some configurations end before they serve. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class FailingServersTest {
  @TempDir private Path directory;

  /** A mesh of a server that ends at once where it is told how. */
  private List<MeshTrial> run(String network, String endings) throws InterruptedException {
    String text =
        """
        kind: Mesh
        name: failing
        topologies: [0/1/0/0]
        tiers:
          app:
            command: [sh, -c, 'test "$ENDING" = none || exit 7; exec "$@"', sh, '%s', -XX:TieredStopAtLevel=1, -Xmx64m, -cp, '%s', org.terrace.mesh.PlantedServer, lock]
            ready: {http: /health}
            environment: {ENDING: none}
        vary: {tiers.app.environment.ENDING: %s}
        load: {closed: {users: 2, think: exp(20ms)}, mix: [{path: /work, weight: 1}]}
        phases: {rampUp: 1s, run: 2s, rampDown: 1s}
        observe: {packets: false, sample: 500ms}
        attempts: 1
        network: %s
        """
            .formatted(
                JavaCommand.program(), System.getProperty("java.class.path"), endings, network);
    new MeshRunner(OwnTrials.options(), (_, _, _, _) -> {}, MeshListener.SILENT)
        .run(SpecificationReader.readMesh("failing.yaml", text), text, directory);
    return trials();
  }

  private List<MeshTrial> trials() {
    return MeshFile.read(directory.resolve(MeshFile.NAME)).trials();
  }

  @Test
  void aConfigurationWhoseServerEndsFailsAloneAndTheOthersAreRun() throws Exception {
    List<MeshTrial> trials = run("127.58", "[none, at-once]");

    assertThat(trials).hasSize(2).noneMatch(trial -> trial.status() == Status.SKIPPED);
    assertThat(trials)
        .filteredOn(trial -> trial.configuration().variations().containsValue("at-once"))
        .allMatch(trial -> trial.status() == Status.FAILED);
    for (MeshTrial trial : trials) {
      assertThat(directory.resolve(trial.folder()).resolve("mesh-trial.json")).exists();
    }
  }

  /** A command that was killed after an attempt in the second round leaves that attempt. */
  @Test
  void theAttemptsOfRoundsAndOfKilledCommandsAreAllTold() throws Exception {
    MeshTrial first = run("127.58", "[at-once]").getFirst();
    Path left = directory.resolve(first.folder() + ".attempt-2");
    Files.createDirectories(left.resolve("logs"));
    Files.writeString(left.resolve("reason.txt"), "it was late");

    MeshTrial second = run("127.58", "[at-once]").getFirst();

    assertThat(first.earlier()).isEmpty();
    assertThat(second.attempts()).isEqualTo(3);
    assertThat(second.earlier().getFirst())
        .contains("logs/app1.log")
        .doesNotContain(directory.toString());
    assertThat(second.earlier().getLast()).isEqualTo("it was late");
    Path trial = directory.resolve(second.folder());
    assertThat(trial.resolve("attempt-1/logs/app1.log")).exists();
    assertThat(trial.resolve("attempt-2/reason.txt")).hasContent("it was late");
    assertThat(trial.resolve("logs/app1.log")).exists();
  }

  @Test
  void whereTheServersOfTwoConfigurationsEndTheMeshStops() {
    assertThatThrownBy(() -> run("127.59", "[at-once, soon, later]"))
        .isInstanceOf(TerraceException.class);

    assertThat(trials().stream().filter(trial -> trial.status() == Status.FAILED)).hasSize(2);
    assertThat(trials().stream().filter(trial -> trial.status() == Status.SKIPPED)).hasSize(1);
  }
}
