package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The processes of a program that is killed or interrupted, of which none is left. */
@Tag("real-processes")
@Tag("untimed")
class KilledProgramTest {
  private static final int PATIENCE_SECONDS = 60;
  private static final int KILLS = 4;
  private static final long LATEST_KILL_NANOS = 300_000_000;

  private final Sleepers sleepers = new Sleepers();

  @AfterEach
  void endWhatATestLeft() {
    sleepers.kill();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kill -KILL %d", "kill -KILL -%d", "kill -INT %d", "kill -INT -%d"})
  void nothingIsLeftOfAProgramThatIsKilled(String signal) throws Exception {
    // Its own for each signal and the same in each run, so that a second try is one of the first.
    Random random = new Random(signal.hashCode());
    for (int i = 0; i < KILLS; i++) {
      List<String> command = new ArrayList<>(List.of("setsid"));
      command.addAll(
          JavaCommand.of(List.of("-XX:TieredStopAtLevel=1"), Starter.class, sleepers.seconds()));
      Process program =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      assertThat(program.inputReader().readLine()).startsWith("ready ");
      LockSupport.parkNanos(random.nextLong(LATEST_KILL_NANOS));
      new ProcessBuilder("sh", "-c", signal.formatted(program.pid())).start().waitFor();
      assertThat(program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(sleepers.allEnd()).as("after %s", signal).isTrue();
    }
  }
}
