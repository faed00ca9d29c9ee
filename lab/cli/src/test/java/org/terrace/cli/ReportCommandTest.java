package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.threshold.Threshold.Judgement;
import org.terrace.report.FindingsFile;

/** A result that is rendered again ends and says what it did when it was made. */
class ReportCommandTest {
  private static final Path CAPTURE =
      Path.of("../../observatory/protocols/src/test/resources/captures/http.pcap");
  private static final String HELD = "users p50 >= 0ms";
  private static final String FAR = "users p50 > 100s";

  @TempDir Path directory;

  private final StringWriter failures = new StringWriter();
  private Path out;

  @BeforeEach
  void nameTheResult() {
    out = directory.resolve("out");
  }

  private int run(String... arguments) {
    return Terrace.commandLine().setErr(new PrintWriter(failures)).execute(arguments);
  }

  @Test
  void aConditionThatHasFailedFailsAgain() {
    assertThat(run("analyze", CAPTURE.toString(), "--out=" + out, "--fail-if=" + HELD, "--quiet"))
        .isEqualTo(1);
    failures.getBuffer().setLength(0);

    assertThat(run("report", out.toString(), "--quiet")).isEqualTo(1);

    assertThat(failures.toString()).startsWith("Failed: " + HELD);
    assertThat(out.resolve("report.html")).content().contains("✕ Failed: users p50 &gt;= 0ms");
  }

  @Test
  void anotherConditionIsJudgedBesideThoseThatTheResultHasAndKept() throws IOException {
    assertThat(run("analyze", CAPTURE.toString(), "--out=" + out, "--fail-if=" + FAR, "--quiet"))
        .isZero();

    Path junit = directory.resolve("terrace.xml");
    assertThat(
            run(
                "report",
                out.toString(),
                "--fail-if=" + HELD,
                "--fail-if=" + FAR,
                "--junit=" + junit,
                "--quiet"))
        .isEqualTo(1);

    assertThat(FindingsFile.read(out.resolve(FindingsFile.NAME)).thresholds())
        .extracting(Judgement::condition)
        .containsExactly(FAR, HELD);
    assertThat(junit).content().contains("tests=\"2\"", "failures=\"1\"");
    assertThat(run("report", out.toString(), "--quiet")).isEqualTo(1);
  }

  @Test
  void whatLimitsTheFindingsIsSaidAgain() throws IOException {
    byte[] whole = Files.readAllBytes(CAPTURE);
    Path cut = Files.write(directory.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 7));
    assertThat(run("analyze", cut.toString(), "--out=" + out, "--quiet")).isZero();
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));

      assertThat(run("report", out.toString())).isZero();
    } finally {
      System.setErr(before);
    }

    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("  warning: 1 capture file ends in the middle of a packet");
  }

  private static String line(@Nullable Double load, @Nullable Double low, @Nullable Double high) {
    CongestionPoint point =
        new CongestionPoint(
            load != null,
            load,
            low,
            high,
            522.7,
            null,
            List.of(),
            null,
            null,
            null,
            null,
            null,
            null);
    CongestionEpisode beyond =
        new CongestionEpisode(
            0, 2_500_000_000L, CongestionEpisode.Kind.BEYOND, 9, 0.4, 1, List.of(), null);
    return Outputs.congestion(
        new ServerFindings(
            "app2",
            "app",
            100,
            10,
            new Findings.Latency(1, 1, 1, 1, 1),
            point,
            List.of(),
            high == null ? List.of() : List.of(beyond),
            null,
            List.of(),
            null,
            null,
            List.of()));
  }

  @Test
  void aKnownPointHasItsInterval() {
    assertThat(line(4.0, 3.5, 4.5)).isEqualTo("N* 4.0 (3.5 to 4.5), beyond it 1 times for 2.5 s");
  }

  /** The highest load may be far beyond a limit that is not known. */
  @Test
  void ofAnUnknownPointNoBoundIsClaimed() {
    assertThat(line(null, null, null)).isEqualTo("N* not known, highest load 522.7");
  }
}
