package org.terrace.databases;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;

@Tag("real-processes")
@Tag("untimed")
class CommandsTest {
  /** The session is the sixth field of a process's state: a leader's is its own number. */
  private static final String LEADS_ITS_SESSION =
      "test \"$(cut -d ' ' -f 6 /proc/$$/stat)\" = $$ || { cat /proc/$$/stat; exit 9; }";

  /** So that an interrupted run is ended by whoever is interrupted, and blames no command. */
  @Test
  void aCtrlCAtTheTerminalDoesNotReachACommand() {
    assertThatCode(() -> Commands.run("a shell", List.of("sh", "-c", LEADS_ITS_SESSION), ""))
        .doesNotThrowAnyException();
  }

  @Test
  void aCommandThatFailsIsToldWithItsWords() {
    assertThatThrownBy(
            () -> Commands.run("a shell", List.of("sh", "-c", "cat; exit 9"), "no room is left"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("a shell failed (exit status 9)", "It said: no room is left");
  }
}
