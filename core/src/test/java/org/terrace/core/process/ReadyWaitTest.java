package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ReadyWait.Outcome;

@Tag("real-processes")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReadyWaitTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  private static Process start(String... command) throws IOException {
    return Keeper.ofThisProcess().start(new ProcessBuilder(command));
  }

  private static ReadyWait forReady(Process process) {
    return new ReadyWait(process, ReadyWait.word("ready"));
  }

  /** Whoever reads may be behind: the line counts although its speaker is gone already. */
  @Test
  void lineSaidJustBeforeTheEndIsHeard() throws IOException, InterruptedException {
    Process process = start("true");
    process.waitFor();
    process.onExit().join();
    ReadyWait wait = forReady(process);
    Thread waiting = Thread.currentThread();
    Thread.startVirtualThread(() -> {
      while (waiting.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      wait.heard("starting");
      wait.heard("ready 8080");
      wait.outputEnded();
    });

    assertThat(wait.await(LONG)).isEqualTo(Outcome.READY);
    assertThat(wait.line()).contains("ready 8080");
  }

  @Test
  void endWithoutTheLineIsTold() throws IOException, InterruptedException {
    Process process = start("true");
    ReadyWait wait = forReady(process);
    wait.heard("readying");
    wait.outputEnded();

    assertThat(wait.await(LONG)).isEqualTo(Outcome.ENDED);
    assertThat(wait.line()).isEmpty();
  }

  @Test
  void processThatSaysNothingIsLate() throws IOException, InterruptedException {
    Process process = start("sleep", "600");
    try {
      assertThat(forReady(process).await(SHORT)).isEqualTo(Outcome.LATE);
      // Its output may be closed while it lives on.
      ReadyWait closed = forReady(process);
      closed.outputEnded();
      assertThat(closed.await(SHORT)).isEqualTo(Outcome.LATE);
      assertThat(ReadyWait.until(() -> false, process, SHORT, TimeSource.system()))
          .isEqualTo(Outcome.LATE);
      assertThat(ReadyWait.until(() -> true, process, SHORT, TimeSource.system()))
          .isEqualTo(Outcome.READY);
    } finally {
      process.destroyForcibly();
    }
    assertThat(ReadyWait.until(() -> false, process, LONG, TimeSource.system()))
        .isEqualTo(Outcome.ENDED);
  }
}
