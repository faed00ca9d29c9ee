package org.terrace.dashboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.experiment.progress.ProgressReader;
import org.terrace.experiment.progress.RunProgress;
import org.terrace.testing.ManualTimeSource;

/** The page of a run of which more has happened than is kept. */
class RunningPageTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path directory;
  private final ManualTimeSource time = new ManualTimeSource(SECOND);

  private String page(int seconds) {
    ProgressFile file = ProgressFile.begin(directory, "experiment", "soak", time, warning -> {});
    ProgressReader reader = new ProgressReader(directory);
    for (int second = 0; second < seconds; second++) {
      time.advanceNanos(SECOND);
      file.figures(
          "{\"phase\":\"run\",\"users\":9,\"requestsPerSecond\":120,\"errors\":%d}"
              .formatted(second < 100 ? 5 : 0));
    }
    RunProgress progress = reader.poll().orElseThrow();
    return RunningPage.now(progress, time.epochNanos()).toString();
  }

  @Test
  void failuresAreThoseOfTheWholeRunAndTheAxisBeginsWithTheLoad() {
    String page = page(RunProgress.MOST_SECONDS + 1_000);

    assertThat(page)
        .containsPattern("Failures</dt>.{0,40}>500<")
        .contains("Only the last 1:59:59 is kept.");
    // The first second that is drawn is the thousand and first.
    assertThat(page).contains(">8,000<").doesNotContain(">500</text>");
  }

  @Test
  void aRunOfWhichAllIsKeptSaysNothingOfThat() {
    assertThat(page(300)).containsPattern("Failures</dt>.{0,40}>500<").doesNotContain("is kept");
  }
}
