package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The session of a process that has ended before its keeper does. */
@Tag("real-processes")
@Tag("untimed")
class KeptSessionTest {
  private static final int PATIENCE_SECONDS = 60;

  private final Sleepers sleepers = new Sleepers();

  @AfterEach
  void endWhatATestLeft() {
    sleepers.kill();
  }

  /** Without an environment, as servers are that write their title over it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHasNoMarkEndsWithItsSessionThoughTheFirstProcessIsGone(boolean inOrder)
      throws Exception {
    Keeper keeper = Keeper.start();
    Process first =
        keeper.startSession(
            new ProcessBuilder(
                "sh",
                "-c",
                "env -i sh -c 'echo ready; exec sleep %s >/dev/null 2>&1' & read end"
                    .formatted(sleepers.seconds())));
    assertThat(first.inputReader().readLine()).isEqualTo("ready");
    first.getOutputStream().close();
    assertThat(first.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

    if (inOrder) {
      keeper.close();
    } else {
      keeper.release();
    }

    assertThat(sleepers.allEnd()).isTrue();
  }
}
