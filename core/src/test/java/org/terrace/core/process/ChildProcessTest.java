package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes, and what is left of them when who started them goes in several ways. */
@Tag("real-processes")
@Tag("untimed")
class ChildProcessTest {
  private static final int PATIENCE_SECONDS = 60;
  private static final int KILLS = 4;

  /** All that is needed to start processes and to keep them. */
  private static final List<String> PROGRAMS =
      List.of("sh", "setsid", "sleep", "grep", "cat", "rm");

  private static final long LATEST_KILL_NANOS = 300_000_000;

  /** Sleeps so long that no other process of the machine has the same command line. */
  private final String seconds = Long.toString(200_000 + ProcessHandle.current().pid());

  @AfterEach
  void endWhatATestLeft() {
    sleepers().forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void itsReadyLineIsAwaitedAndTellsItsWords() throws IOException {
    try (ChildProcess child =
        shell("echo warming up; echo ready 127.0.0.1 8080; sleep " + seconds)) {
      assertThat(child.awaitReady()).containsExactly("127.0.0.1", "8080");
      assertThat(child.isAlive()).isTrue();
    }
    try (ChildProcess child = shell("echo ready; echo more")) {
      assertThat(child.awaitReady()).isEmpty();
      assertThat(child.output().readLine()).isEqualTo("more");
    }
  }

  @Test
  void oneThatEndsBeforeItIsReadyIsNamedWithItsLastWords() throws IOException {
    try (ChildProcess child = shell("echo the port is taken; exit 3")) {
      assertThatThrownBy(child::awaitReady)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("sh, process " + child.pid())
          .hasMessageContaining("ended before it was ready; it said last: the port is taken");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kill -KILL %d", "kill -KILL -%d", "kill -INT %d", "kill -INT -%d"})
  void nothingIsLeftOfAProgramThatIsKilled(String signal) throws Exception {
    // Its own for each signal and the same in each run, so that a second try is one of the first.
    Random random = new Random(signal.hashCode());
    for (int i = 0; i < KILLS; i++) {
      List<String> command = new ArrayList<>(List.of("setsid"));
      command.addAll(JavaCommand.of(List.of("-XX:TieredStopAtLevel=1"), Starter.class, seconds));
      Process program =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      assertThat(program.inputReader().readLine()).startsWith("ready ");
      LockSupport.parkNanos(random.nextLong(LATEST_KILL_NANOS));
      new ProcessBuilder("sh", "-c", signal.formatted(program.pid())).start().waitFor();
      assertThat(program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(allEnd()).as("after %s", signal).isTrue();
    }
  }

  /** Debian's program {@code kill} is in a package that not every image has. */
  @Test
  void aMachineWithoutAProgramThatSendsSignalsIsEnough(@TempDir Path folder) throws Exception {
    for (String link : PROGRAMS) {
      Files.createSymbolicLink(folder.resolve(link), found(link));
    }
    ProcessBuilder killer =
        new ProcessBuilder(JavaCommand.small(List.of(), Killer.class, seconds))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    killer.environment().put("PATH", folder.toString());
    Process program = killer.start();

    assertThat(program.inputReader().lines()).containsExactly("sent, refused");
    assertThat(program.waitFor()).isZero();
    for (String link : PROGRAMS) {
      Files.delete(folder.resolve(link));
    }
  }

  private static Path found(String program) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void keptProcessesWaitForTheHoldersOfADirectory(@TempDir Path folder) throws Exception {
    Process holder = new ProcessBuilder("sleep", seconds).start();
    Files.writeString(
        folder.resolve(Long.toString(holder.pid())), Keeper.startTicks(holder.pid()) + "\n");
    Keeper keeper = Keeper.start();
    keeper.waitForHolders(folder);
    Process kept = keeper.start(new ProcessBuilder("sleep", seconds));
    keeper.release();
    assertThat(kept.waitFor(1, TimeUnit.SECONDS)).as("while the holder lives").isFalse();
    holder.destroyForcibly();
    assertThat(kept.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void closingAKeeperEndsWhatIsLeft() throws Exception {
    Keeper keeper = Keeper.start();
    keeper.start(new ProcessBuilder("sh", "-c", "setsid sleep " + seconds + " &")).waitFor();
    keeper.start(new ProcessBuilder("sleep", seconds));
    keeper.close();
    assertThat(allEnd()).isTrue();
  }

  /** A mark that begins as another does would be found in its place. */
  @Test
  void closingAKeeperLeavesWhatOthersKeep() throws Exception {
    List<Keeper> others = new ArrayList<>();
    List<Process> kept = new ArrayList<>();
    Keeper closed = Keeper.start();
    try {
      for (int i = 0; i < 25; i++) {
        Keeper other = Keeper.start();
        others.add(other);
        kept.add(other.start(new ProcessBuilder("sleep", seconds)));
      }
      closed.close();
      assertThat(kept).allMatch(Process::isAlive);
    } finally {
      others.forEach(Keeper::close);
    }
    assertThat(allEnd()).isTrue();
  }

  @Test
  void theEndOfAProcessIsSeenThoughItCameBeforeTheQuestion() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    CountDownLatch told = new CountDownLatch(2);
    ChildProcess.whenEnded(ended.pid(), told::countDown);
    assertThat(told.getCount()).isEqualTo(1);
    // This one is younger than who asks, so it is not the one that was meant.
    try (ChildProcess later = shell("sleep " + seconds)) {
      ChildProcess.whenEnded(later.pid(), told::countDown);
      assertThat(told.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void theEndOfALivingProcessIsAwaited() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    long parent = ProcessHandle.current().parent().orElseThrow().pid();
    ChildProcess.whenEnded(parent, told::countDown);
    assertThat(told.await(100, TimeUnit.MILLISECONDS)).isFalse();
  }

  private static ChildProcess shell(String script) throws IOException {
    return ChildProcess.start(new ProcessBuilder("sh", "-c", script));
  }

  private boolean allEnd() throws InterruptedException {
    for (int i = 0; i < PATIENCE_SECONDS * 20; i++) {
      if (sleepers().isEmpty()) {
        return true;
      }
      LockSupport.parkNanos(50_000_000);
    }
    return false;
  }

  private List<ProcessHandle> sleepers() {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().arguments().map(List::of).orElse(List.of()).equals(List.of(seconds)))
        .toList();
  }
}
