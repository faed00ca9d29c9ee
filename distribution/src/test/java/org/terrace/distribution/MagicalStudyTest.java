package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.studies.Studies;
import org.terrace.studies.StudyRunner;
import org.terrace.studies.design.PublishedClaim;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyListener;

/** The study of tails with one application in one configuration, and one crash. */
@Timeout(180)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class MagicalStudyTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final Path PUBLISHED =
      SourceTree.root().resolve("studies/magical-one-percent.yaml");
  private static final int CALLS = 100;

  private static final String SHORT =
      """
      short:
        applications: [park-n-park]
        middleware: [terrace]
        clients: [2]
        think: [0s]
        replyBytes: [256]
        configurations: 1
        calls: 100
        warmUp: 20
        kills: 1
        killInterval: 2s
      """;

  @TempDir Path directory;

  private static String specification() throws IOException {
    String published = Files.readString(PUBLISHED).replace("network: 127.31", "network: 127.32");
    return published.substring(0, published.indexOf("short:"))
        + SHORT
        + published.substring(published.indexOf("full:"));
  }

  @Test
  void aConfigurationAndACrashAreMeasuredAndEveryClaimIsJudged() throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/seven")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    String text = specification();
    Study study = Studies.read("small", text);
    Recorder recorder = new Recorder();

    StudyFindings findings =
        new StudyRunner(HOME, recorder).run(study, text, false, directory.resolve("result"));

    assertThat(findings.claims())
        .extracting(Claim::id)
        .containsExactlyElementsOf(study.claims().stream().map(PublishedClaim::id).toList());
    Map<String, List<Boolean>> checks =
        findings.validity().stream()
            .collect(
                Collectors.groupingBy(
                    Validity::check, Collectors.mapping(Validity::passed, Collectors.toList())));
    assertThat(checks)
        .containsEntry("planned-calls", List.of(true))
        .containsEntry("matched", List.of(true))
        .containsEntry("invariants-hold", List.of(true))
        .containsEntry("crashes-happened", List.of(true))
        .containsEntry("answered", List.of(true))
        .containsEntry("enough-calls", List.of(false));
    assertThat(findings.tables().getFirst().rows()).hasSize(1);
    Path probes = directory.resolve("result/park-n-park-terrace/c2-t0ms-r256.csv");
    assertThat(Files.readAllLines(probes)).hasSize(CALLS + 1);
    assertThat(recorder.warnings).isEmpty();
  }

  private static final class Recorder implements StudyListener {
    final ConcurrentLinkedQueue<String> warnings = new ConcurrentLinkedQueue<>();

    @Override
    public void message(String text) {}

    @Override
    public void warning(String text) {
      warnings.add(text);
    }

    @Override
    public void progress(String text) {}
  }
}
