package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.capture.CaptureRights;
import org.terrace.studies.Studies;
import org.terrace.studies.StudyRunner;
import org.terrace.studies.design.Study;

/** The study of transient bottlenecks at its smallest: one run of each case, and the watching. */
@Timeout(240)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class TransientStudyTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final String SMALLEST =
      """
      short:
        {runs: [collector-high, governor-high], rampUp: 1s, run: 6s, collectorUsers: [60],
         governorUsers: [60], thinkMillis: 500, heapMebibytes: 128, databaseMillicores: 300,
         slot: 300ms, slots: 2}
      """;

  private final StudyMessages told = new StudyMessages();

  @TempDir Path directory;

  @Test
  void judgesEveryClaimAndTellsWhatWasNotRun() throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    Assumptions.assumeTrue(
        CaptureRights.ofThisProcess().builtIn(), "this process may not capture packets");
    String text = Files.readString(SourceTree.root().resolve("studies/transient-bottlenecks.yaml"));
    String smallest =
        text.substring(0, text.indexOf("short:"))
            .replace("network: 127.33", "network: 127.34")
            .concat(SMALLEST)
            .concat(text.substring(text.indexOf("full:")));
    Study study = Studies.read("transient-bottlenecks.yaml", smallest);

    StudyFindings findings =
        new StudyRunner(HOME, told).run(study, smallest, false, directory.resolve("result"));

    assertThat(findings.claims())
        .extracting(Claim::id)
        .containsExactlyElementsOf(study.claims().stream().map(claim -> claim.id()).toList());
    assertThat(findings.claims())
        .filteredOn(claim -> claim.id().equals("collector-cure"))
        .singleElement()
        .matches(claim -> claim.verdict() == Verdict.CANNOT_TELL, "was not run");
    assertThat(findings.tables().getFirst().rows()).hasSize(2);
    assertThat(findings.figures())
        .extracting(Figure::title)
        .anyMatch(title -> title.startsWith("Figure 9(b)"))
        .anyMatch(title -> title.startsWith("Figure 12(b)"))
        .anyMatch(title -> title.equals("The cost of watching"));
    assertThat(told.messages).anyMatch(message -> message.startsWith("2 of 2: governor on"));
  }
}
