package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, and what is left of them when who started them goes in several ways. */
@Tag("real-processes")
@Tag("untimed")
class ChildProcessTest {
  private static final int PATIENCE_SECONDS = 60;

  /** All that is needed to start processes and to keep them. */
  private static final List<String> PROGRAMS =
      List.of("sh", "setsid", "sleep", "grep", "cat", "rm");

  private final Sleepers sleepers = new Sleepers();
  private final String seconds = sleepers.seconds();

  @AfterEach
  void endWhatATestLeft() {
    sleepers.kill();
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
    assertThat(sleepers.allEnd()).isTrue();
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
    assertThat(sleepers.allEnd()).isTrue();
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
}
