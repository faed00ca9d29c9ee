package org.terrace.hosts.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ShortCommand;

@Timeout(60)
@Tag("real-processes")
class SystemCommandTest {
  private static ThrowingCallable running(Duration within, String script) {
    ShortCommand command = ShortCommand.of("sh", "-c", script).withWithin(within);
    return () -> SystemCommand.run("do this", "coreutils", command);
  }

  @Test
  void whatDoesNotEndIsToldWithItsWords() {
    assertThatThrownBy(running(Duration.ofSeconds(8), "echo begun; sleep 1000"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cannot do this")
        .hasMessageContaining("it did not end within 8000 ms; it said: begun");
  }

  @Test
  void ofWhatPrintsWithoutEndTheBeginningIsTold() {
    assertThatThrownBy(running(Duration.ofSeconds(50), "while :; do echo again and again; done"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("it printed more than 1048576 bytes; it said: again and again")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(3_000));
  }

  @Test
  void whatPrintsMuchAndEndsIsWell() {
    assertThatCode(running(Duration.ofSeconds(50), "yes | head -c 500000"))
        .doesNotThrowAnyException();
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
