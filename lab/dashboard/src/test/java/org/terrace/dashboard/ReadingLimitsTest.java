package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.results.ServedDirectory;

/** Results whose files are more than may be in memory at once. */
@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class ReadingLimitsTest {
  @TempDir Path served;
  private Path good;
  private Path other;
  private Dashboard dashboard;

  @BeforeEach
  void start() {
    good = SampleResults.analysis(served.resolve("good"), 2_000);
    other = SampleResults.analysis(served.resolve("other"), 2_001);
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

  /** Sets a file's size; what is added takes no room on disk. */
  private static void size(Path file, long bytes) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(bytes);
    }
  }

  private static void pipe(Path file) throws Exception {
    Files.deleteIfExists(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"findings.json", "facts.json"})
  void resultsAreComparedOnlyIfAllOfThemFitTogether(String file) throws Exception {
    assertThat(get("/compare?before=%2Fgood&after=%2Fother").text())
        .doesNotContain("cannot be compared");
    // It would fit alone, and not with the other.
    size(other.resolve(file), ServedDirectory.MOST_BYTES);

    assertThat(get("/compare?before=%2Fgood&after=%2Fother").text())
        .contains(
            "These cannot be compared", "the files to compare have more than 268435456 bytes");

    pipe(other.resolve(file));
    assertThat(get("/compare?before=%2Fgood&after=%2Fother").text())
        .contains("These cannot be compared", "other/" + file + ": it is no file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"requests.parquet", "events.parquet", "facts.json"})
  void aReportIsMadeOnlyOfFilesThatFit(String file) throws Exception {
    Files.delete(good.resolve("report.html"));
    assertThat(get("/report/good").status()).isEqualTo(200);
    size(good.resolve(file), ServedDirectory.MOST_BYTES + 1);

    RawHttp.Answer answer = get("/report/good");

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains(file + ": it has more than 268435456 bytes");

    pipe(good.resolve(file));
    assertThat(get("/report/good").text()).contains(file + ": it is no file");
  }

  /** Whoever opens a pipe to which nobody writes waits for ever. */
  @Test
  void aPipeInPlaceOfTheProgressHoldsUpNoPage() throws Exception {
    pipe(good.resolve("progress.jsonl"));

    assertThat(get("/").status()).isEqualTo(200);
    assertThat(get("/result/good").status()).isEqualTo(200);
    assertThat(get("/compare?pick=%2Fgood&pick=%2Fother").text())
        .doesNotContain("cannot be compared");
    assertThat(get("/assets/icon.svg").status()).isEqualTo(200);
  }

  @Test
  void aReportThatIsTooLargeIsNotSent() throws IOException {
    size(good.resolve("report.html"), ServedDirectory.MOST_BYTES + 1);

    RawHttp.Answer answer = get("/report/good");

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("report.html: it has more than 268435456 bytes");
  }
}
