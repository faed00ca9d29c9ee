package org.terrace.fleet.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.core.process.ChildProcess;
import org.terrace.fleet.FleetFindings;
import org.terrace.fleet.FleetStorage;
import org.terrace.fleet.FleetWriter;
import org.terrace.fleet.GeneratedTrial;
import org.terrace.testing.Seeds;

/** The job on a real cluster of two workers. */
@Tag("real-processes")
@Tag("untimed")
class FleetJobTest {
  private static final long START = 1_790_002_770_000_000_000L;
  private static final int TRIALS = 4;

  @TempDir static Path folder;

  private static Path fleet;
  private static StandaloneCluster cluster;

  @BeforeAll
  static void exportTrials() throws IOException {
    fleet = folder.resolve("fleet");
    long seed = Seeds.next("FleetJobTest");
    for (int i = 0; i < TRIALS; i++) {
      FleetWriter.add(
          fleet, "trial " + i, GeneratedTrial.of(seed + i, START, 14_000 + 1_000 * i), false);
    }
    cluster = new StandaloneCluster(folder, 2);
  }

  @AfterAll
  static void endCluster() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void findingsAreThoseOfOneProcessThoughAWorkerIsKilledMidway() throws Exception {
    Path out = folder.resolve("out");
    ChildProcess job =
        cluster.submit("job", List.of(), List.of(fleet.toString(), "--out", out.toString()));
    cluster.awaitWords("job", Pattern.compile("terrace: \\d+ of 24 tasks ended"));

    assertThat(job.isAlive()).isTrue();
    cluster.kill(0);

    assertThat(job.process().waitFor()).as(cluster.said("job")).isZero();
    assertThat(cluster.said("job")).containsPattern("terrace: executor \\d+ was lost");
    FleetStorage storage = FleetStorage.of(fleet);
    for (int i = 0; i < TRIALS; i++) {
      String trial = "trial " + i;
      assertThat(out.resolve("trial=" + trial + "/findings.json"))
          .hasContent(
              FleetFindings.toJson(FleetFindings.of(storage, trial, AnalysisOptions.defaults())));
    }
    assertThat(out.resolve("trial=trial 0").toFile().list()).containsExactly("findings.json");
  }
}
