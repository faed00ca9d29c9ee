package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.report.ReportWriter;

/** Reports that lie in a result, whoever wrote them. */
@Tag("real-processes")
@Tag("untimed")
class ReportsTest {
  private static final String SCRIPT = "<script>what nobody may run</script>";
  private static final String AWAY =
      "<meta http-equiv=\"refresh\" content=\"0;url=http://evil.example/\"/>";

  @TempDir Path served;
  private Path report;
  private String own;
  private Dashboard dashboard;

  @BeforeEach
  void start() throws IOException {
    report = SampleResults.analysis(served.resolve("good"), 2_000).resolve("report.html");
    own = Files.readString(report);
    dashboard =
        Dashboard.start(
            new DashboardOptions(served, "127.0.0.1", 0, Optional.empty()), TimeSource.system());
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  private RawHttp.Answer get(String target) {
    return RawHttp.get(dashboard.port(), target);
  }

  @Test
  void aReportThatSomebodyElseWroteRunsNoScript() throws IOException {
    Files.writeString(report, "<!DOCTYPE html>" + SCRIPT);
    RawHttp.Answer faked = get("/report/good");
    String changed = own.replace("</body>", SCRIPT + "</body>");
    Files.writeString(report, changed);
    RawHttp.Answer patched = get("/report/good");

    assertThat(faked.text()).isEqualTo(own);
    assertThat(patched.text()).as("sent as it lies").isEqualTo(changed);
    assertThat(patched.header("Content-Security-Policy"))
        .startsWith("default-src 'none'; style-src 'sha256-")
        .doesNotContain("unsafe", "'self'", "connect-src");
    assertThat(get("/files/good?name=report.html").header("Content-Disposition"))
        .startsWith("attachment");
  }

  @Test
  void aReportThatLeadsAwayIsMadeAnew() throws IOException {
    String beginning =
        ReportWriter.policiesByBeginning().keySet().stream()
            .filter(own::startsWith)
            .findFirst()
            .orElseThrow();
    String meta = beginning.substring(beginning.lastIndexOf('<'));
    for (String page :
        List.of(
            own.replace(
                "</head>", "<META HTTP-EQUIV=refresh content='0;url=http://evil.example/'></head>"),
            own.replace(meta, "<!-- " + policy(meta) + " -->" + AWAY),
            own.replace(meta, "<!-- " + meta + " -->"),
            "\uFEFF" + own,
            " " + own)) {
      Files.writeString(report, page);

      assertThat(get("/report/good").text()).isEqualTo(own);
    }
  }

  /** The report is read piece by piece, of which none may hide a part of a word. */
  @Test
  void anOrderAnywhereInALargeReportIsFound() throws IOException {
    String order = "<meta HTTP-Equiv=refresh content='0;url=http://evil.example/'>";
    for (int before : List.of(0, 65_530, 65_531, 65_540, 131_072, 1_000_003)) {
      String padding = "h".repeat(before);
      Files.writeString(report, own.replace("</body>", padding + order + "</body>"));

      assertThat(get("/report/good").text()).isEqualTo(own);
    }
    String padded = own.replace("</body>", "ht".repeat(700_000) + "http-equi" + "</body>");
    Files.writeString(report, padded);
    assertThat(get("/report/good").text()).as("nothing but beginnings").isEqualTo(padded);
  }

  /** The file that was looked at may be another when it is sent. */
  @Test
  void aReportThatChangesBeforeItIsSentIsNotSentToItsEnd() throws IOException {
    PageResponse answer = WrittenReport.of(report).orElseThrow();
    ByteArrayOutputStream same = new ByteArrayOutputStream();
    answer.body().write(same, () -> false);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    Files.writeString(report, own.replace("</head>", AWAY + "</head>"));

    assertThat(same.toString(StandardCharsets.UTF_8)).isEqualTo(own);
    assertThatThrownBy(() -> answer.body().write(sent, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("changed while it was sent");
    assertThat(sent.toString(StandardCharsets.UTF_8)).doesNotContain("refresh");
  }

  /** A browser heeds the mark before the type that it is told. */
  @Test
  void aReportInAnotherEncodingIsMadeAnew() throws IOException {
    String beginning = ReportWriter.policiesByBeginning().keySet().iterator().next();
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    page.writeBytes("\uFEFF<!--".getBytes(StandardCharsets.UTF_16BE));
    page.writeBytes(policy(beginning).getBytes(StandardCharsets.UTF_8));
    page.writeBytes(("-->" + AWAY).getBytes(StandardCharsets.UTF_16BE));
    Files.write(report, page.toByteArray());

    assertThat(get("/report/good").text()).isEqualTo(own);
  }

  /** The text of the policy in a page's markup, as many bytes as two of UTF-16 are. */
  private static String policy(String markup) {
    String policy = markup.substring(markup.indexOf("default-src"), markup.lastIndexOf('"'));
    return policy + " ".repeat(policy.length() % 2);
  }
}
