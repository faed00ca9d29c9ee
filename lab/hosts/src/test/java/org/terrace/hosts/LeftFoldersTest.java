package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.JavaCommand;

/** The temporary files of runners and agents, of which none is left however they end. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class LeftFoldersTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path temporary;
  @TempDir private Path logs;

  /** Everybody may enter the real one as well, under whichever account a database runs. */
  @BeforeEach
  void open() throws IOException {
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private List<String> java(Class<?> program, String... arguments) {
    return JavaCommand.small(
        List.of("-Xmx96m", "-Djava.io.tmpdir=" + temporary), program, arguments);
  }

  private Process runner(String... arguments) throws IOException {
    Process process =
        new ProcessBuilder(java(LocalRunner.class, arguments))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    return process;
  }

  private long databases() throws IOException {
    try (Stream<Path> files = Files.walk(temporary)) {
      return files.filter(file -> file.endsWith("global/pg_control")).count();
    }
  }

  @Test
  void theDatabasesOfAKilledRunnerAreDeletedByTheNext() throws Exception {
    Process killed = runner(logs.toString(), "database");
    killed.destroyForcibly();
    assertThat(killed.onExit()).succeedsWithin(SOON);
    assertThat(databases()).isEqualTo(1);

    Process next = runner(logs.toString());
    assertThat(databases()).isZero();
    next.outputWriter().close();

    assertThat(next.onExit()).succeedsWithin(SOON);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void anAgentWhoseRunnerIsSilentDeletesItsFolder() throws IOException {
    AgentLine line = AgentLine.start("one", java(ImpatientAgent.class));
    Files.writeString(line.awaitFacts().folder().resolve("capture.pcapng"), "packets");

    assertThat(line.process().onExit()).succeedsWithin(SOON);

    assertThat(temporary).isEmptyDirectory();
    line.close(1);
  }

  @Test
  void anAgentThatIsTerminatedDeletesItsFolder() throws IOException {
    AgentLine line = AgentLine.start("one", java(AgentProgram.class));
    Files.writeString(line.awaitFacts().folder().resolve("capture.pcapng"), "packets");

    line.process().destroy();
    assertThat(line.process().onExit()).succeedsWithin(SOON);

    assertThat(temporary).isEmptyDirectory();
    line.close(1);
  }
}
