package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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
