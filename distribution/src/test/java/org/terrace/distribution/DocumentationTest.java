package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole build makes the pages of the documentation, and fails on what the compiler, which
 * checks the comments in every build, does not see.
 */
@Timeout(400)
@Tag("real-processes")
@Tag("untimed")
class DocumentationTest {
  private static final String SOUND =
      """
      /** Seats, of which {@link #free} are free. */
      public final class Seats {
        private Seats() {}

        /** The number of seats. */
        public static int free() {
          return 1;
        }
      }
      """;

  @TempDir Path scratch;

  private record Call(int status, String output) {}

  @Test
  @Tag("long")
  void aCommentThatJavadocRefusesFailsTheWholeBuildAlone() throws Exception {
    PlantedProject project =
        PlantedProject.in(
            scratch, SOUND.replace("The number of seats.", "{@snippet file=\"Sold.java\"}"));

    Call whole = build("whole");
    assertThat(whole.status()).as(whole.output()).isNotZero();
    assertThat(whole.output())
        .contains("javadoc", "file not found on source path or snippet path: Sold.java");
    Call brief = build("short");
    assertThat(brief.status()).as(brief.output()).isZero();

    project.withClass(SOUND);
    Call mended = build("whole");
    assertThat(mended.status()).as(mended.output()).isZero();
    assertThat(scratch.resolve("core/target/reports/apidocs/org.terrace.seats/org/terrace/seats"))
        .isDirectoryContaining("glob:**Seats.html");
  }

  @Test
  void aBrokenLinkFailsTheCompilation() throws Exception {
    PlantedProject.in(scratch, SOUND.replace("#free}", "#sold}"));

    Call brief = build("short");
    assertThat(brief.status()).as(brief.output()).isNotZero();
    assertThat(brief.output()).contains("reference not found");
  }

  private Call build(String depth) throws IOException, InterruptedException {
    ProcessBuilder maven =
        new ProcessBuilder(scratch.resolve("mvnw").toString())
            .directory(scratch.toFile())
            .redirectErrorStream(true);
    maven
        .command()
        .addAll(
            List.of(
                "--batch-mode",
                "--no-transfer-progress",
                "-Dterrace.depth=" + depth,
                "process-classes"));
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = maven.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Call(process.waitFor(), output);
  }
}
