package org.terrace.mesh.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Trial;
import org.terrace.mesh.MeshFile;
import org.terrace.mesh.MeshListener;
import org.terrace.mesh.MeshRunner;
import org.terrace.observation.Outcome;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.bottleneck.Bottleneck;
import org.terrace.scaling.bottleneck.BottleneckClassifier;
import org.terrace.scaling.bottleneck.ResourceSaturation;
import org.terrace.scaling.bottleneck.SaturationRules;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.SpecificationReader;

/** The guide's mesh over a service of one's own, in small. */
@Tag("real-processes")
@Timeout(400)
@Tag("long")
class OwnServiceMeshTest {
  private static final Duration RUN = Duration.ofSeconds(5);

  /** The checks that a trial fails when others use the machine: it does not count then. */
  private static final Set<String> OF_A_BUSY_MACHINE =
      Set.of("machine-room", "generator-cpu", "generator-lateness", "achieved-rate");

  @TempDir private Path directory;

  /** The rates are those of all trials: a machine that is shared makes some not count. */
  @Test
  void aSecondStockOrMoreReadersHelpWhereOneReaderIsTheLimit() throws Exception {
    String text =
        OwnTrials.committed("own-service-mesh.yaml", "127.42")
            .replace("users: [10, 30]", "users: [30]")
            .replace("rampUp: 3s", "rampUp: 1s")
            .replace("run: 12s", "run: " + RUN.toSeconds() + "s");
    String file = OwnTrials.ROOT.resolve("experiments/test.yaml").toString();
    MeshSpecification mesh = SpecificationReader.readMesh(file, text + "attempts: 1\n");
    Map<String, Double> rates = new HashMap<>();
    Set<String> failed = new TreeSet<>();

    new MeshRunner(
            OwnTrials.options(),
            (trial, analysis, warnings, folder) -> {
              rates.put(label(trial.experiment()), rate(trial));
              trial.validity().stream()
                  .filter(check -> !check.passed())
                  .forEach(check -> failed.add(check.check()));
            },
            MeshListener.SILENT)
        .run(mesh, text, directory);

    assertThat(failed).isSubsetOf(OF_A_BUSY_MACHINE);
    MeshTrial busy =
        MeshFile.read(directory.resolve(MeshFile.NAME)).trials().stream()
            .filter(trial -> trial.configuration().servers("app") == 1)
            .filter(trial -> trial.configuration().variations().containsValue("1"))
            .findFirst()
            .orElseThrow();
    System.out.printf("one stock with one reader: %s; checks that failed: %s%n", busy, failed);
    if (busy.status() == MeshTrial.Status.DONE) {
      assertTheBusyReaderIsSuspected(busy);
    }

    // A look takes 10 ms, and one reader looks at a time: a hundred looks a second at most.
    double alone = rates.get("1/1/0/0 with 1");
    assertThat(alone).isBetween(20.0, 105.0);
    assertThat(rates.get("1/2/0/0 with 1")).as("%s", rates).isBetween(alone * 1.4, 210.0);
    // Sixteen need the processor, which the build shares among several programs.
    assertThat(rates.get("1/1/0/0 with 16")).as("%s", rates).isGreaterThan(alone * 1.1);
    assertThat(rates).hasSize(4);
  }

  /** The classifier's own question, of the one trial: is there enough of it is another's. */
  private static void assertTheBusyReaderIsSuspected(MeshTrial trial) {
    Bottleneck found =
        new BottleneckClassifier(SaturationRules.DEFAULT, 1).classify(trial.utilisation(), true);

    assertThat(found.suspects())
        .as("%s", trial.utilisation())
        .extracting(ResourceSaturation::node, ResourceSaturation::resource)
        .contains(tuple("app1", "readers"));
  }

  private static String label(Experiment experiment) {
    return experiment.topology()
        + " with "
        + experiment.program(Tier.APP).orElseThrow().environment().get("READERS");
  }

  /** Right answers a second, ramps included. */
  private static double rate(Trial trial) {
    long right =
        IntStream.range(0, trial.clientRequests().size())
            .filter(row -> trial.clientRequests().outcome(row) == Outcome.OK)
            .count();
    return right * 1e9 / trial.experiment().phases().total().toNanos();
  }
}
