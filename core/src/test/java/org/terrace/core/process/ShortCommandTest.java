package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real programs that end, do not end, print without end, and start others. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class ShortCommandTest {
  private static final int PATIENCE_SECONDS = 60;

  /** Far more than a pipe holds. */
  private static final int LONG_BYTES = 900_000;

  private static final int COMMANDS_AT_ONCE = 32;
  private static final int COMMANDS = 128;

  @TempDir private Path folder;

  private static ShortCommand shell(String script) {
    return ShortCommand.of("sh", "-c", script).withWithin(Duration.ofSeconds(PATIENCE_SECONDS));
  }

  /** The numbers that a script wrote as the names of files. */
  private List<Long> numbers() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> Long.parseLong(file.getFileName().toString())).toList();
    }
  }

  private void assertThatAllEnd(int count) throws Exception {
    assertThat(numbers()).hasSize(count);
    for (long pid : numbers()) {
      ProcessHandle process = ProcessHandle.of(pid).orElse(null);
      if (process != null) {
        process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void itsOutputAndItsStatusAreTold() throws IOException {
    ShortCommand.Result good = shell("echo words; echo and errors >&2").run();
    assertThat(good.isSuccess()).isTrue();
    assertThat(good.successfulOutput()).hasValue("words\nand errors\n");

    ShortCommand.Result bad =
        shell("echo words; echo and errors >&2; exit 3").withoutErrors().run();
    assertThat(bad)
        .isEqualTo(new ShortCommand.Result(OptionalInt.of(3), "words\n", "exit status 3"));
    assertThat(bad.successfulOutput()).isEmpty();
  }

  @Test
  void aProgramThatIsMissingIsToldByItsStatus() throws IOException {
    ShortCommand.Result missing = ShortCommand.of("no-such-program-of-terrace").run();
    assertThat(missing.status()).hasValue(127);
    assertThat(missing.output()).contains("no-such-program-of-terrace");
  }

  @Test
  void itHasItsInputItsEnvironmentItsDirectoryAndASessionOfItsOwn() throws IOException {
    String script = "cat; echo $WORD $(pwd); cut -d ' ' -f 6 /proc/$$/stat; echo $$";
    ShortCommand command =
        shell(script)
            .withInput("in\n")
            .withEnvironment(Map.of("WORD", "said"))
            .withDirectory(folder.toRealPath());
    List<String> lines = command.run().output().lines().toList();
    assertThat(lines.subList(0, 2)).containsExactly("in", "said " + folder.toRealPath());
    assertThat(lines.get(2)).as("session").isEqualTo(lines.get(3));
    assertThat(command.unkept().run().output().lines().toList().subList(0, 2))
        .isEqualTo(lines.subList(0, 2));
  }

  @Test
  void oneThatIsNotKeptHasNoMark() throws IOException {
    assertThat(shell("echo $TERRACE_KEEPERS").run().output())
        .contains("k" + ProcessHandle.current().pid() + ".");
    assertThat(shell("echo $TERRACE_KEEPERS").unkept().run().output())
        .doesNotContain("k" + ProcessHandle.current().pid() + ".");
  }

  /** A program stands still once a pipe is full at either side. */
  @Test
  void fullPipesHoldNobodyUp() throws IOException {
    String input = "x".repeat(LONG_BYTES);
    assertThat(shell("cat").withInput(input).run().successfulOutput()).hasValue(input);
    assertThat(shell("yes | head -c " + LONG_BYTES).withInput(input).run().output())
        .hasSize(LONG_BYTES);
  }

  /** Its child, and a grandchild whose parent has ended, hold its output open. */
  @Test
  void whatDoesNotEndIsKilledWithAllThatItStarted() throws Exception {
    String script =
        """
        cd %s
        echo begun
        sh -c ': >$$; sleep 1000' &
        (sh -c ': >$$; sleep 1000' &)
        setsid sh -c ': >$$; sleep 1000' &
        : >$$
        sleep 1000
        """
            .formatted(folder);
    ShortCommand.Result late = shell(script).withWithin(Duration.ofSeconds(8)).run();

    assertThat(late)
        .isEqualTo(
            new ShortCommand.Result(
                OptionalInt.empty(), "begun\n", "it did not end within 8000 ms"));
    assertThatAllEnd(4);
  }

  @Test
  void whatPrintsWithoutEndIsKilled() throws Exception {
    String script = "cd %s; : >$$; while :; do echo again and again; done".formatted(folder);
    ShortCommand.Result endless = shell(script).withOutputBytesMax(1_000).run();

    assertThat(endless.failure()).isEqualTo("it printed more than 1000 bytes");
    assertThat(endless.output()).hasSize(1_000).startsWith("again and again\n");
    assertThatAllEnd(1);
  }

  @Test
  void asMuchAsItMayPrintIsWellAndOneByteMoreIsNot() throws IOException {
    assertThat(shell("printf 12345").withOutputBytesMax(5).run().isSuccess()).isTrue();
    ShortCommand.Result more = shell("printf 123456").withOutputBytesMax(5).run();
    assertThat(more.failure()).isEqualTo("it printed more than 5 bytes");
    assertThat(more.output()).isEqualTo("12345");
  }

  @Test
  void aChildThatHoldsTheOutputDoesNotHoldUpTheEnd() throws Exception {
    String script =
        "cd %s; sh -c ': >$$; exec sleep 1000' & sleep 0.3; echo well".formatted(folder);
    assertThat(shell(script).run().successfulOutput()).hasValue("well\n");
    assertThatAllEnd(1);
  }

  /** Its own stream would end with it wherever nobody reads it in that moment. */
  @Test
  void whatAnotherPrintsAfterItsEndIsReadToo() throws Exception {
    ShortCommand command = shell("setsid sh -c 'sleep 0.2; echo last' & echo first");
    List<Future<ShortCommand.Result>> runs = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(COMMANDS_AT_ONCE)) {
      for (int i = 0; i < COMMANDS; i++) {
        runs.add(executor.submit(command::run));
      }
      for (Future<ShortCommand.Result> run : runs) {
        assertThat(run.get().successfulOutput()).hasValue("first\nlast\n");
      }
    }
  }

  /** Nothing tells whether what it printed is all, and what it started is out of its reach. */
  @Test
  void anOutputThatDoesNotEndWithItsProgramIsNoSuccess() throws Exception {
    String script =
        """
        cd %s
        setsid sh -c ': >$$; exec sleep 1000' &
        while [ $(ls | wc -l) -lt %d ]; do sleep 0.1; done
        echo first
        exit %d
        """;
    ShortCommand.Result open;
    ShortCommand.Result failed;
    try (var executor = Executors.newFixedThreadPool(2)) {
      var first = executor.submit(shell(script.formatted(folder, 1, 0))::run);
      var second = executor.submit(shell(script.formatted(folder, 2, 3))::run);
      open = first.get();
      failed = second.get();
    }
    numbers().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));

    assertThat(open)
        .isEqualTo(
            new ShortCommand.Result(
                OptionalInt.of(0),
                "first\n",
                "its output did not end when it did, and may be cut off"));
    assertThat(failed.failure()).isEqualTo("exit status 3");
  }

  @Test
  void whoeverIsInterruptedLeavesNothingAndStaysInterrupted() throws Exception {
    ShortCommand command = shell("cd %s; : >$$; exec sleep 1000".formatted(folder));
    FutureTask<Boolean> run =
        new FutureTask<>(() -> {
          assertThatThrownBy(command::run)
              .isInstanceOf(InterruptedIOException.class)
              .hasMessage("sh was not waited for any longer, and ended");
          return Thread.currentThread().isInterrupted();
        });
    Thread waiting = Thread.ofPlatform().start(run);
    while (numbers().isEmpty()) {
      LockSupport.parkNanos(10_000_000);
    }
    waiting.interrupt();
    assertThat(run.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThatAllEnd(1);
  }
}
