package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.mesh.MeshFile;
import org.terrace.nodes.machine.CpuLimits;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Prices;
import org.terrace.specification.PricesFile;
import org.terrace.studies.Studies;
import org.terrace.studies.StudyRunner;
import org.terrace.studies.design.Study;

/** The study of scaling out at its smallest, run twice: one server of each tier, a few users. */
@Timeout(1_200)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ScaleOutStudyTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final String SMALLEST =
      """
      short:
        {apps: [1], databases: [1], users: [10], repeats: [1], thinkMillis: 200, rampUp: 100ms,
         run: 2s, rampDown: 100ms, dataPermille: 1, nodeMillicores: 500, lowCostMillicores: 300,
         attempts: 1}
      """;

  private final StudyMessages told = new StudyMessages();

  @TempDir Path directory;

  @Test
  void judgesEveryClaimAndRunsNoValidTrialAgain() throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    try (CpuLimits limits = CpuLimits.open()) {
      Assumptions.assumeTrue(limits.warning().isEmpty(), "this machine holds no server back");
    }
    String text = Files.readString(SourceTree.root().resolve("studies/scale-out.yaml"));
    String smallest =
        text.substring(0, text.indexOf("short:"))
            .replace("network: 127.35", "network: 127.39")
            .concat(SMALLEST)
            .concat(text.substring(text.indexOf("full:")));
    Study study = Studies.read("scale-out.yaml", smallest);
    Path result = directory.resolve("result");

    StudyFindings findings = new StudyRunner(HOME, told).run(study, smallest, false, result);
    Map<String, String> done = doneRows(result);
    told.messages.clear();
    StudyFindings again = new StudyRunner(HOME, told).run(study, smallest, false, result);

    for (StudyFindings each : List.of(findings, again)) {
      assertThat(each.claims())
          .extracting(Claim::id)
          .containsExactlyElementsOf(study.claims().stream().map(claim -> claim.id()).toList());
      assertThat(each.claims())
          .filteredOn(claim -> claim.id().equals("mysql-both-scaled"))
          .singleElement()
          .matches(claim -> claim.verdict() == Verdict.CANNOT_TELL, "was not run")
          .matches(claim -> claim.measured().contains("no valid trial of 1/2/1/2"), "says so");
    }
    assertThat(told.messages)
        .anyMatch(
            // Two more where an NDB-like database can be run.
            message ->
                message.matches("[57] trials, of which %d are done.*".formatted(done.size())));
    assertThat(doneRows(result)).containsAllEntriesOf(done);
    assertThatAPlanCanBeMadeOfWhatIsValid(result);
  }

  /** The result holds what {@code terrace plan} reads, however few of the trials are valid. */
  private static void assertThatAPlanCanBeMadeOfWhatIsValid(Path result) {
    Mesh mesh = MeshFile.read(result.resolve(MeshFile.NAME));
    Prices prices = PricesFile.read(result.resolve(PricesFile.NAME));
    assertThat(mesh.trials())
        .isNotEmpty()
        .allMatch(trial -> trial.folder().startsWith("mesh/trials/"))
        .noneMatch(trial -> trial.configuration().label().contains("browse-only"));
    Assumptions.assumeFalse(
        mesh.cells().isEmpty(), "the machine lets no trial that is read and written be valid");
    assertThat(Plan.of(mesh, prices).choices()).hasSize(1);
  }

  /** The rows of the trials that count, by their folder. */
  private static Map<String, String> doneRows(Path result) throws IOException {
    Map<String, String> rows = new HashMap<>();
    try (Stream<Path> entries = Files.list(result.resolve("mesh/trials"))) {
      for (Path entry : entries.toList()) {
        String row = Files.readString(entry.resolve("mesh-trial.json"));
        if (row.contains("\"status\":\"done\"")) {
          rows.put(entry.getFileName().toString(), row);
        }
      }
    }
    return rows;
  }
}
