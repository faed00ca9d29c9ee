package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.studies.Studies;
import org.terrace.studies.StudyRunner;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyListener;

/** The study of soft state at its smallest: real replicas, databases, a crash and an overload. */
@Timeout(300)
@Tag("real-processes")
@Tag("long")
class SoftStateStudyTest implements StudyListener {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final String SMALLEST =
      """
      short:
        {clients: [2], stores: [collections, h2], warmUp: 0s, measure: 1s, crashes: 1,
         attackAfter: 1s, attack: 2s, observe: 5s, replicas: [1], petStore: 1, petMeasure: 1s,
         servicesAPage: [1], redundancy: [1]}
      """;

  /** The option that saves the cost of optimising, as findings are judged here and not speed. */
  private static final List<String> ONE_COMPILER_TIER = List.of("-XX:TieredStopAtLevel=1");

  @TempDir Path directory;

  @Test
  void judgesEveryClaimAndLosesNothing() throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/cart"))
            && Files.isDirectory(HOME.resolve("apps/petstore")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    String text = Files.readString(SourceTree.root().resolve("studies/soft-state.yaml"));
    String smallest =
        text.substring(0, text.indexOf("short:"))
            .replace("network: 127.30", "network: 127.31")
            .concat(SMALLEST)
            .concat(text.substring(text.indexOf("full:")));
    Study study = Studies.read("soft-state.yaml", smallest);

    StudyFindings findings =
        new StudyRunner(HOME, this, ONE_COMPILER_TIER)
            .run(study, smallest, false, directory.resolve("result"));

    assertThat(findings.claims())
        .extracting(Claim::id)
        .containsExactlyInAnyOrderElementsOf(
            study.claims().stream().map(claim -> claim.id()).toList());
    assertThat(findings.claims())
        .filteredOn(claim -> claim.id().equals("terrace-nothing-lost"))
        .extracting(Claim::verdict)
        .containsExactly(Claim.Verdict.REPRODUCED);
    assertThat(findings.validity()).allMatch(check -> check.passed());
    assertThat(findings.figures()).isNotEmpty();
    assertThat(findings.tables()).allMatch(table -> !table.rows().isEmpty());
  }

  @Override
  public void message(String text) {}

  @Override
  public void warning(String text) {}

  @Override
  public void progress(String text) {}
}
