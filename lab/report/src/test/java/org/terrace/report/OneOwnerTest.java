package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;

/** Commands that write results of one name at the same time, in processes of their own. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(300)
class OneOwnerTest {
  private static final int PROCESSES = 3;
  private static final String RESULTS = "150";

  @TempDir Path folder;

  @Test
  void oneCommandAtATimeHasTheNameOfAResult() throws Exception {
    List<Process> writers = new ArrayList<>();
    Path target = folder.resolve("out");
    for (int number = 0; number < PROCESSES; number++) {
      writers.add(
          new ProcessBuilder(
                  JavaCommand.small(
                      List.of("-Xmx64m"), ManyResults.class, target.toString(), RESULTS))
              .redirectErrorStream(true)
              .start());
    }
    for (Process writer : writers) {
      String said = new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(said).isEmpty();
      assertThat(writer.waitFor()).isZero();
    }

    assertThat(folder.toFile().list()).containsExactly("out");
  }

  @Test
  void aPipeInPlaceOfTheLockHoldsUpNoCommand() throws Exception {
    Path lock = folder.resolve("out.lock");
    assertThat(new ProcessBuilder("mkfifo", lock.toString()).start().waitFor()).isZero();

    assertThatThrownBy(() -> PendingResult.begin(folder.resolve("out"), false, () -> false))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("out.lock is no file");
  }

  /** The lock of a process that was killed is gone, and its file stays. */
  @Test
  void theFileOfAKilledCommandIsTakenOver() throws IOException {
    Files.createFile(folder.resolve("out.lock"));
    Files.createDirectories(folder.resolve("out.unfinished"));
    try (PendingResult result = PendingResult.begin(folder.resolve("out"), false, () -> false)) {
      Files.writeString(result.directory().resolve(FindingsFile.NAME), "new");
      result.finish();
    }

    assertThat(folder.toFile().list()).containsExactly("out");
  }
}
