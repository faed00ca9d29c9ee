package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.hosts.Target;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;
import org.terrace.specification.SpecificationReader;

/** Limits of the network where servers share one, which are refused before anything starts. */
class NetworkLimitRefusalTest {
  private static final String TEXT =
      """
      kind: Mesh
      name: links
      topologies: [0/1/0/1]
      nodeTypes: {slow: {network: 1m}}
      nodes: {app: slow}
      load: {closed: {users: 2, think: exp(1s)}, mix: browse-only}
      phases: {run: 1s}
      """;

  @TempDir private Path directory;

  private static MeshSpecification mesh() {
    return SpecificationReader.readMesh("links.yaml", TEXT);
  }

  @Test
  void aMeshIsRefusedWhereServersShareTheirNetwork() {
    for (Target target : new Target[] {new Target.Local(), Target.Ssh.localhost()}) {
      assertThatThrownBy(() -> LimitsHere.require(mesh(), target))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining(
              "the network of app cannot be limited with the target " + target.word())
          .hasMessageContaining("run it with --target namespaces");
    }
    assertThatCode(() -> LimitsHere.require(mesh(), new Target.Namespaces()))
        .doesNotThrowAnyException();
  }

  @Test
  void aTrialIsRefusedBeforeAnythingStarts() {
    PlannedTrial planned = mesh().trials().getFirst();
    TrialOptions options = new TrialOptions(JavaCommand.program(), "none", "none", "none");
    Path folder = directory.resolve("trial");

    assertThatThrownBy(() ->
            new TrialRunner(options, TrialListener.SILENT)
                .run(planned.experiment(), planned.specification(), folder))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("run it with --target namespaces");

    assertThat(folder).doesNotExist();
  }
}
