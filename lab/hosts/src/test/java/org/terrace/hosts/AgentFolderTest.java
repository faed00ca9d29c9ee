package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;

/** The folders of agents that are given none. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class AgentFolderTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path temporary;

  private AgentLine agent() {
    return AgentLine.start(
        "one",
        JavaCommand.small(List.of("-Xmx96m", "-Djava.io.tmpdir=" + temporary), AgentProgram.class));
  }

  @Test
  void whatAKilledAgentLeftIsDeletedByTheNextAndThatOfALivingOneIsNot() throws Exception {
    AgentLine killed = agent();
    Path left = killed.awaitFacts().folder();
    Files.writeString(left.resolve("capture.pcapng"), "packets");
    killed.process().destroyForcibly();
    assertThat(killed.process().onExit()).succeedsWithin(SOON);
    assertThat(left.resolve("capture.pcapng")).exists();
    Path strange = Files.createDirectory(temporary.resolve("terrace-agent-of-something-else"));

    AgentLine living = agent();
    Path used = living.awaitFacts().folder();
    AgentLine further = agent();
    Path own = further.awaitFacts().folder();

    assertThat(left).doesNotExist();
    assertThat(used).exists();
    assertThat(own).exists().isNotEqualTo(used);
    assertThat(strange).exists();

    living.close(20);
    further.close(20);
    assertThat(used).doesNotExist();
    assertThat(own).doesNotExist();
  }

  /** Nobody else knows whose data they are: a temporary directory is full of others' files. */
  @Test
  void theDatabasesOfAKilledAgentAreDeletedByTheNextAndThoseOfALivingOneAreNot() throws Exception {
    // Everybody may enter the real one as well, under whichever account a database runs.
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
    AgentLine killed = agent();
    database(killed, "127.15.4.2");
    killed.process().destroyForcibly();
    assertThat(killed.process().onExit()).succeedsWithin(SOON);
    List<Path> left = dataDirectories();
    assertThat(left).hasSize(1);

    AgentLine living = agent();
    database(living, "127.15.4.3");
    List<Path> used = dataDirectories();
    assertThat(used).hasSize(1).doesNotContainAnyElementsOf(left);
    AgentLine further = agent();
    var _ = further.awaitFacts();
    assertThat(dataDirectories()).isEqualTo(used);

    living.close(20);
    further.close(20);
    assertThat(temporary).isEmptyDirectory();
  }

  private static void database(AgentLine agent, String address) {
    HostFacts facts = agent.awaitFacts();
    AgentHost host = new AgentHost("one", agent, facts, facts, false, TimeSource.system());
    host.database(
            new DatabasePlan(
                DatabasePlan.DatabaseSystem.POSTGRESQL,
                address,
                5432,
                "terrace",
                List.of("127.0.0.0/8")))
        .initialise();
  }

  private List<Path> dataDirectories() throws IOException {
    try (Stream<Path> files = Files.walk(temporary)) {
      return files
          .filter(file -> file.getFileName().toString().equals("PG_VERSION"))
          .map(Path::getParent)
          .filter(each -> !each.toString().contains("/base/"))
          .toList();
    }
  }

  /** A disk without room for one more folder before what was left is gone. */
  @Test
  @Tag("long")
  void whatAKilledAgentLeftDoesNotKeepTheNextFromStarting() throws Exception {
    assumeTrue(
        OverSsh.runs("mount", "-t", "tmpfs", "-o", "nr_inodes=5", "tmpfs", temporary.toString()),
        "a file system of the test's own takes root");
    try {
      AgentLine killed = agent();
      Path left = killed.awaitFacts().folder();
      Files.writeString(left.resolve("capture.pcapng"), "packets");
      killed.process().destroyForcibly();
      assertThat(killed.process().onExit()).succeedsWithin(SOON);

      AgentLine next = agent();

      assertThat(next.awaitFacts().folder()).exists();
      assertThat(left).doesNotExist();
      next.close(20);
    } finally {
      assertThat(OverSsh.runs("umount", "--lazy", temporary.toString())).isTrue();
    }
  }
}
