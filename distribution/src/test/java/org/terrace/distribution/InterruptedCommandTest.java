package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Seeds;

/**
 * The last words of commands that a Ctrl-C ends, which a terminal sends to the command and to all
 * that it has started in its group.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(300)
class InterruptedCommandTest {
  private static final String TO_THE_GROUP = "kill -INT -%d";
  private static final int INTERRUPTED = 130;
  private static final String MESH =
      """
      kind: Mesh
      name: smallest
      topologies: ["0/{1..2}/0/1"]
      load: {closed: {users: 5, think: exp(200ms)}, mix: browse-only}
      phases: {rampUp: 1s, run: 60s, rampDown: 1s}
      observe: {packets: false, sample: 1s}
      data: {scale: 0.001, seed: 1}
      network: 127.28
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireDistribution() {
    Path home = SourceTree.root().resolve("distribution/target/terrace");
    Assumptions.assumeTrue(
        Files.isDirectory(home.resolve("apps/board")) && Files.isDirectory(home.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  /** Starts a command, waits until it has said a word, and ends it as a terminal does. */
  private MarkedCommand interrupted(String words, String said, RandomGenerator random)
      throws Exception {
    MarkedCommand command = new MarkedCommand(folder, words, random);
    boolean begun =
        MarkedCommand.await(() -> command.output().contains(said) || !command.isAlive());
    Assumptions.assumeFalse(command.lacksMeans(), command::output);
    assertThat(begun && command.isAlive()).as(command::output).isTrue();
    assertThat(command.end(TO_THE_GROUP)).as(command::output).isTrue();
    assertThat(command.left()).as(command::output).isEmpty();
    return command;
  }

  @Test
  void aRecordingEndsWithItsCountsAndIsGood() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("InterruptedCommandTest.recording"));
    MarkedCommand command =
        interrupted(
            "capture --interface lo --method tcpdump --out recorded.pcapng",
            "Capturing on lo",
            random);

    assertThat(command.output()).contains("packets in recorded.pcapng");
    assertThat(command.exitValue()).as(command.output()).isZero();
  }

  @Test
  @Tag("long")
  void aMeshSaysWhatIsDoneAndHowItGoesOn() throws Exception {
    Files.writeString(folder.resolve("mesh.yaml"), MESH);

    RandomGenerator random = Seeds.generator(Seeds.next("InterruptedCommandTest.mesh"));
    MarkedCommand command = interrupted("run mesh.yaml --out out", "[1/2]", random);

    assertThat(command.output().lines().filter(line -> !line.isBlank()).toList().getLast())
        .isEqualTo(
            "Interrupted: 0 of 2 trials are done in out; the same command goes on with the others");
    assertThat(command.exitValue()).isEqualTo(INTERRUPTED);
  }
}
