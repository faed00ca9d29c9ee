package org.terrace.hosts.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
class SystemCommandTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir private Path folder;

  private static ThrowingCallable running(Duration within, String script) {
    return () -> SystemCommand.run(within, "do this", "coreutils", List.of("sh", "-c", script));
  }

  /** The numbers that the script wrote into a file each. */
  private List<Long> numbers() throws Exception {
    try (var files = Files.list(folder)) {
      return files.map(file -> Long.parseLong(file.getFileName().toString())).toList();
    }
  }

  private static boolean isGone(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
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
        : >$$
        sleep 1000
        """
            .formatted(folder);

    assertThatThrownBy(running(Duration.ofSeconds(2), script))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cannot do this")
        .hasMessageContaining("it did not end within 2000 ms; it said: begun");

    assertThat(numbers()).hasSize(3);
    for (long pid : numbers()) {
      assertThat(Await.until(SOON, () -> isGone(pid))).as("process %d", pid).isTrue();
    }
  }

  @Test
  void whatPrintsWithoutEndIsKilled() {
    assertThatThrownBy(running(Duration.ofSeconds(50), "while :; do echo again and again; done"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("it printed more than 1048576 bytes; it said: again and again");
  }

  /** The old bound of what was read was no more than a message has room for. */
  @Test
  void whatPrintsMuchAndEndsIsWell() {
    assertThatCode(running(Duration.ofSeconds(50), "yes | head -c 500000"))
        .doesNotThrowAnyException();
  }

  @Test
  void aChildThatHoldsTheOutputDoesNotHoldUpTheEnd() throws Exception {
    String script = "cd %s; sh -c ': >$$; exec sleep 1000' & sleep 0.3".formatted(folder);
    assertThatCode(running(Duration.ofSeconds(50), script)).doesNotThrowAnyException();

    assertThat(numbers()).hasSize(1);
    long pid = numbers().getFirst();
    assertThat(Await.until(SOON, () -> isGone(pid))).isTrue();
  }

  @Test
  void whatFailsIsToldWithItsLastWordsAndWhatIsMissingWithItsPackage() {
    assertThatThrownBy(running(Duration.ofSeconds(50), "echo no such device >&2; exit 3"))
        .hasMessageEndingWith("failed (exit status 3; it said: no such device)");
    assertThatThrownBy(
            () -> SystemCommand.run("join networks", "iproute2", "no-such-program-of-terrace"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("sudo apt-get install iproute2");
  }
}
