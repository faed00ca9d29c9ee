package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.testing.Seeds;

/**
 * Commands that start many processes, interrupted or killed at a random moment, alone or with their
 * whole group: nothing of them is left. {@code -Dterrace.kills=N} does so more often.
 */
@Tag("real-processes")
@Tag("untimed")
class KilledCommandTest {
  private static final int KILLS = Integer.getInteger("terrace.kills", 1);
  private static final long LATEST_KILL_NANOS = 4_000_000_000L;
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: killed
      topology: 1/2/0/1
      load: {closed: {users: 50, think: exp(1s)}, mix: read-write}
      phases: {rampUp: 10s, run: 40s, rampDown: 3s}
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench invocation --quick",
        "bench collections --quick",
        "prove invocation --kills 1000",
        "prove collections --real --kills 1000",
        "prove database --seeds 1 --kills 1000",
        "run killed.yaml",
        "board --scale 0.001 --network 127.22"
      })
  void nothingIsLeft(String words) throws Exception {
    Files.writeString(folder.resolve("killed.yaml"), SPECIFICATION);
    RandomGenerator random = Seeds.generator(Seeds.next("KilledCommandTest"));
    int first = random.nextInt(MarkedCommand.SIGNALS.size());
    for (int i = 0; i < KILLS; i++) {
      String signal = MarkedCommand.SIGNALS.get((first + i) % MarkedCommand.SIGNALS.size());
      MarkedCommand command = new MarkedCommand(folder, words, random);
      MarkedCommand.await(() -> command.processes() >= 3 || !command.isAlive());
      assertThat(command.isAlive()).as(command::output).isTrue();
      LockSupport.parkNanos(random.nextLong(LATEST_KILL_NANOS));
      assertThat(command.end(signal)).as("%s ends %s", signal, words).isTrue();
      assertThat(command.left()).as("after %s of %s", signal, words).isEmpty();
    }
  }
}
