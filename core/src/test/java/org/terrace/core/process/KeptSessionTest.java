package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    leave(keeper::startSession);

    if (inOrder) {
      keeper.close();
    } else {
      keeper.release();
    }

    assertThat(sleepers.allEnd()).isTrue();
  }

  /** A number of what led no session may be another's session later, as that of a daemon. */
  @Test
  void noSessionIsThatOfAProcessWhichLedNone() throws Exception {
    Keeper keeper = Keeper.start();
    ProcessStat leader = leave(builder -> Keeper.apart(builder).start());
    keeper.add(
        new ProcessStat(
            leader.pid(),
            leader.state(),
            leader.parent(),
            ProcessHandle.current().pid(),
            leader.cpuTicks(),
            leader.reapedTicks(),
            leader.startTicks()));

    keeper.close();

    assertThat(sleepers.areThere()).isTrue();
  }

  /** Starts a process that leaves another in its session, and ends. */
  private ProcessStat leave(Start start) throws Exception {
    Process first =
        start.start(
            new ProcessBuilder(
                "sh",
                "-c",
                "env -i sh -c 'echo ready; exec sleep %s >/dev/null 2>&1' & read end"
                    .formatted(sleepers.seconds())));
    assertThat(first.inputReader().readLine()).isEqualTo("ready");
    ProcessStat stat = ProcessStat.of(first.pid()).orElseThrow();
    first.getOutputStream().close();
    assertThat(first.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return stat;
  }

  /** A way to start a process in a session of its own. */
  private interface Start {
    Process start(ProcessBuilder builder) throws IOException;
  }
}
