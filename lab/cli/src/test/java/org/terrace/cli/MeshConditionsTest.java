package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.report.FindingsFile;
import org.terrace.report.plan.MeshConditions;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.Mesh;

class MeshConditionsTest {
  @TempDir private Path folder;

  /** The server of the larger configuration stands still for 650 ms at least, the others' less. */
  @Test
  void trialsInWhichAConditionHoldsAreNamedAndNoOthers() {
    Mesh mesh = MeshExample.write(folder);

    assertThat(failed(mesh, "app1 stalled > 625ms"))
        .hasSize(4)
        .allMatch(each -> each.contains("users, repeat "))
        .allMatch(each -> each.contains("app1 stalled > 625ms: app1 stalled is "));
    assertThat(failed(mesh, "app1 stalled > 100s")).isEmpty();
    assertThat(failed(mesh, "db9 p99 > 1ms"))
        .as("what was not measured fails, in each trial that is done")
        .hasSize(8)
        .allMatch(each -> each.contains("cannot be judged"));
    assertThat(
            MeshConditions.failed(
                List.of(), mesh.trials(), ConfigurationNames.of(mesh), _ -> Optional.empty()))
        .isEmpty();
  }

  private List<String> failed(Mesh mesh, String condition) {
    return MeshConditions.failed(
        List.of(Threshold.parse(condition)),
        mesh.trials(),
        ConfigurationNames.of(mesh),
        trial ->
            Optional.of(
                FindingsFile.read(
                    folder.resolve("mesh").resolve(trial.folder()).resolve(FindingsFile.NAME))));
  }
}
