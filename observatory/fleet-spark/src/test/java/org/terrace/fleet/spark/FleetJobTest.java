package org.terrace.fleet.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ChildProcess;
import org.terrace.fleet.FleetFile;
import org.terrace.fleet.FleetFindings;
import org.terrace.fleet.FleetReader;
import org.terrace.fleet.FleetStorage;
import org.terrace.fleet.FleetWriter;
import org.terrace.fleet.GeneratedTrial;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Seeds;

/** The job on a real cluster of two workers. */
@Tag("real-processes")
@Tag("untimed")
class FleetJobTest {
  private static final long START = 1_790_002_770_000_000_000L;
  private static final int TRIALS = 4;

  @TempDir static Path folder;

  private static StandaloneCluster cluster;

  @BeforeAll
  static void startCluster() throws IOException {
    cluster = new StandaloneCluster(folder, 2);
  }

  private static Path exportTrials() throws IOException {
    Path fleet = folder.resolve("fleet");
    long seed = Seeds.next("FleetJobTest");
    for (int i = 0; i < TRIALS; i++) {
      FleetWriter.add(
          fleet, "trial " + i, GeneratedTrial.of(seed + i, START, 14_000 + 1_000 * i), false);
    }
    FleetWriter.add(
        fleet,
        "nobody",
        new Observation(List.of(), RequestTable.empty(), List.of(), List.of()),
        false);
    return fleet;
  }

  @AfterAll
  static void endCluster() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Tag("long")
  void findingsAreThoseOfOneProcessThoughAWorkerIsKilledMidway() throws Exception {
    Path fleet = exportTrials();
    // Relative to the process that submits it; the executors have working directories of their own.
    ChildProcess job = cluster.submit("job", List.of(), List.of("fleet", "--out", "out"));
    cluster.awaitWords("job", Pattern.compile("terrace: \\d+ of 25 tasks ended"));

    assertThat(job.isAlive()).isTrue();
    cluster.kill(0);

    assertThat(job.process().waitFor()).as(cluster.said("job")).isZero();
    assertThat(cluster.said("job")).containsPattern("terrace: executor \\d+ was lost");
    assertThat(folder.resolve("out").toFile().list()).hasSize(TRIALS + 1);
    assertFindings(fleet, folder.resolve("out"));
  }

  @Test
  void findingsOfASmallTrialAreThoseOfOneProcess() throws Exception {
    Path few = folder.resolve("few");
    long seed = Seeds.next("FleetJobTest.few");
    FleetWriter.add(few, "shop", GeneratedTrial.of(seed, START, 500), false);

    ChildProcess job = cluster.submit("few-job", List.of(), List.of("few", "--out", "few-out"));

    assertThat(job.process().waitFor()).as(cluster.said("few-job")).isZero();
    assertThat(folder.resolve("few-out").toFile().list()).containsExactly("trial=shop");
    assertFindings(few, folder.resolve("few-out"));
  }

  /** Each trial's findings are there, byte for byte those of one process, and nothing else. */
  private static void assertFindings(Path fleet, Path out) {
    FleetStorage storage = FleetStorage.of(fleet);
    for (String trial : FleetReader.trials(storage)) {
      String expected =
          FleetFindings.toJson(FleetFindings.of(storage, trial, AnalysisOptions.defaults()));
      assertThat(out.resolve("trial=" + trial + "/findings.json"))
          .hasBinaryContent(expected.getBytes(StandardCharsets.UTF_8));
      assertThat(out.resolve("trial=" + trial).toFile().list()).containsExactly("findings.json");
    }
  }

  @Test
  @Tag("long")
  void whatATaskFindsWrongIsToldAsItWasSaid() throws Exception {
    Path torn = folder.resolve("torn");
    FleetWriter.add(torn, "shop", GeneratedTrial.of(1, START, 500), false);
    FleetFile lost = FleetReader.files(FleetStorage.of(torn), "shop").getFirst();
    Files.delete(torn.resolve(lost.path("shop")));

    ChildProcess job = cluster.submit("torn-job", List.of(), List.of("torn", "--out", "none"));

    assertThat(job.process().waitFor()).as(cluster.said("torn-job")).isEqualTo(2);
    assertThat(cluster.said("torn-job"))
        .containsPattern("(?m)^terrace: .*" + Pattern.quote(lost.path("shop")) + ": .*lacks it");
    assertThat(folder.resolve("none")).doesNotExist();
  }

  /** Below {@code /proc/self} each process has a folder of its own, as each machine has. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @Tag("long")
  void findingsOutOfReachAreNoSuccess() throws Exception {
    Path small = folder.resolve("small");
    FleetWriter.add(small, "shop", GeneratedTrial.of(1, START, 500), false);

    ChildProcess job =
        cluster.submit(
            "far-job", List.of(), List.of(small.toString(), "--out", "/proc/self/cwd/far"));

    assertThat(job.process().waitFor()).as(cluster.said("far-job")).isEqualTo(2);
    assertThat(cluster.said("far-job"))
        .contains("from here there is none. Name an --out that all machines");
  }

  @Test
  void namesWithoutAFormInTheLocaleAreRefused() {
    HadoopStorage.checkForm("/mnt/trial=\u00fc", StandardCharsets.UTF_8);

    assertThatThrownBy(
            () -> HadoopStorage.checkForm("/mnt/trial=\u00fc", StandardCharsets.US_ASCII))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("LC_ALL=C.UTF-8");
  }
}
