package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TailFindings;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.observation.Observation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StudyReportTest {
  private static final int MOST_BYTES = 1_500_000;
  private static final String HOSTILE = "<script>alert(1)</script>\"'&</title>";

  @TempDir Path directory;

  @Test
  void aStudyIsReadBackEqualAndRenderedTheSame() throws IOException {
    ResultDirectory.writeStudy(directory, SyntheticStudy.findings());
    Path page = directory.resolve(ReportWriter.NAME);
    String first = Files.readString(page);
    Files.delete(page);

    StudyFindings again = ResultDirectory.renderStudy(directory);

    assertThat(again).isEqualTo(SyntheticStudy.findings());
    assertThat(Files.readString(page)).isEqualTo(first);
    assertThat(ReportWriter.policiesByBeginning().keySet()).anyMatch(first::startsWith);
    assertThat(FindingsFile.read(directory.resolve(FindingsFile.NAME)))
        .isEqualTo(Findings.ofStudy(SyntheticStudy.findings()));
  }

  @Test
  void verdictsAreWordsInTheFile() {
    JsonNode written =
        new JsonMapper().readTree(FindingsFile.toJson(Findings.ofStudy(SyntheticStudy.findings())));

    assertThat(written.path("claims").valueStream().map(each -> each.path("verdict").asString()))
        .containsExactly("reproduced", "not-reproduced", "partly", "cannot-tell");
    assertThat(written.path("figures").path(0).path("y").path("scale").asString())
        .isEqualTo("logarithmic");
    assertThat(written.path("study").path("name").asString()).isEqualTo("fail-over");
  }

  @Test
  void theLedgerComesFirstWithAWordASymbolAndTheBound() {
    String page = ReportWriter.renderStudy(SyntheticStudy.findings());

    assertThat(page).contains("✓ reproduced", "✕ not reproduced", "◐ partly", "? cannot tell");
    assertThat(page).contains("at most 9.95 by arithmetic");
    assertThat(page.indexOf("id=\"claims\"")).isLessThan(page.indexOf("id=\"figures\""));
    assertThat(page.indexOf("id=\"figures\"")).isLessThan(page.indexOf("id=\"tables\""));
    assertThat(page).contains("Kills are 2 s apart").contains("not documented");
    assertThat(page).contains("2.90 – no bound").doesNotContain("NaN").doesNotContain("Infinity");
  }

  @Test
  void thePageDoesNotGrowWithThePointsAndSaysWhatItLeftOut() {
    String page = ReportWriter.renderStudy(SyntheticStudy.findings());

    assertThat(page.length()).isLessThan(MOST_BYTES);
    assertThat(page).containsPattern("Drawn are [0-9,]+ of 30,000 points");
    assertThat(page).contains("200 of 30,000 points");
  }

  @Test
  void nothingOfAStudyBecomesMarkup() {
    StudyFindings hostile =
        new StudyFindings(
            new StudyDescription(
                HOSTILE, HOSTILE, HOSTILE, HOSTILE, List.of(), List.of(), List.of(HOSTILE)),
            List.of(
                new Claim(
                    HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, Claim.Verdict.PARTLY, HOSTILE)),
            List.of(),
            List.of(
                new Figure(
                    HOSTILE,
                    HOSTILE,
                    Figure.Axis.linear(HOSTILE, HOSTILE),
                    Figure.Axis.linear(HOSTILE, HOSTILE),
                    List.of(),
                    HOSTILE)),
            List.of());

    assertThat(ReportWriter.renderStudy(hostile)).doesNotContain("<script>alert");
  }

  @Test
  void aStudyWithServersHasItsLedgerOnThePageOfTheTrial() {
    Observation observation = SyntheticTrial.observation(1, 10, 200);
    var result = SyntheticTrial.analyse(observation, true);
    StudyFindings study = SyntheticStudy.findings();
    Findings plain = result.findings();
    Findings both =
        new Findings(
            plain.format(),
            plain.capture(),
            plain.window(),
            plain.servers(),
            plain.transactions(),
            plain.clients(),
            plain.validity(),
            study.claims(),
            study.study(),
            study.tables(),
            study.figures(),
            plain.warnings(),
            plain.thresholds(),
            plain.stallEpisodes(),
            plain.users(),
            plain.responses());

    String page = ReportWriter.render(result.withFindings(both), SyntheticTrial.facts(observation));

    assertThat(page).contains("◐ partly", "One fail-over", "id=\"time\"");
    assertThat(page.indexOf("id=\"claims\"")).isLessThan(page.indexOf("id=\"time\""));
  }

  @Test
  void theTailOfTheClientsIsShownBesideItsBounds() {
    Observation observation = SyntheticTrial.observation(1, 10, 200);
    var result = SyntheticTrial.analyse(observation, true);
    TailFindings tail = result.findings().clients().tail();

    assertThat(tail).isNotNull();
    assertThat(tail.maxZ()).isPositive().isLessThanOrEqualTo(tail.maxZCeiling());
    assertThat(tail.p99Z()).isLessThanOrEqualTo(tail.p99ZCeiling());
    assertThat(tail.p99Micros().low()).isLessThanOrEqualTo(tail.p99Micros().value());
    assertThat(ReportWriter.render(result, SyntheticTrial.facts(observation)))
        .contains("id=\"tail\"", "one-sided Chebyshev", "at most 100");
  }
}
