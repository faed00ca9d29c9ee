package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ServedDirectory;

/** The memory that a report takes from other answers while it is made anew. */
class ReportMemoryTest {
  @TempDir Path served;

  @Test
  void aReportThatIsMadeAnewTakesAsMuchAsItsFilesDeserveAndGivesItBack() throws IOException {
    Path result = SampleResults.analysis(served.resolve("good"), 2_000);
    Files.delete(result.resolve("report.html"));
    ResultPlace place = ServedDirectory.open(served).find(List.of("good")).orElseThrow();
    long bytes = ServedDirectory.requireReadable(place);
    assertThat(bytes).isPositive();

    AnswerMemory memory = new AnswerMemory(6 * bytes);
    Reports reports = new Reports(memory);
    try (AnswerMemory.Held _ = memory.takeToRead(1)) {
      assertThatThrownBy(() -> reports.of(place)).isInstanceOf(AnswerMemory.Exhausted.class);
    }
    assertThat(reports.of(place)).isPresent();
    assertThat(reports.of(place)).as("given back").isPresent();

    Reports small = new Reports(new AnswerMemory(6 * bytes - 1));
    assertThatThrownBy(() -> small.of(place))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("start terrace serve with more");
  }
}
