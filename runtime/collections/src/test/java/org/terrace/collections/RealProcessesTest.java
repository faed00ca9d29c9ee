package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Seeds;

/** A short history on three real processes; {@code terrace prove collections --real} runs more. */
@Tag("real-processes")
@Tag("untimed")
class RealProcessesTest {
  @Test
  void killsPausesClocksAndCrashLoopsLoseNothingAcknowledged(@TempDir Path folder) {
    long seed = Seeds.next("killsPausesClocksAndCrashLoopsLoseNothingAcknowledged");
    try (RealHistory history = new RealHistory(seed, folder)) {
      history.round(RealHistory.Fault.KILL);
      history.round(RealHistory.Fault.STOP);
      history.round(RealHistory.Fault.CLOCK);
      history.round(RealHistory.Fault.CRASH_LOOP);

      assertThat(history.tally.violations).isEmpty();
      assertThat(history.tally.acknowledged).isPositive();
      assertThat(history.tally.kills).isEqualTo(1 + RealHistory.CRASHES);
    }
  }

  @Test
  @Tag("long")
  void aPlantedFaultIsFoundOnRealProcessesToo(@TempDir Path folder) {
    long seed = Seeds.next("aPlantedFaultIsFoundOnRealProcessesToo");
    try (RealHistory history = new RealHistory(seed, folder, RealReplica.PLANTED)) {
      history.round(RealHistory.Fault.STOP);

      assertThat(history.tally.violations).isNotEmpty();
    }
  }

  @Test
  @Tag("long")
  void aPartitionLosesNothingAcknowledged(@TempDir Path folder) {
    long seed = Seeds.next("aPartitionLosesNothingAcknowledged");
    try (RealHistory history = new RealHistory(seed, folder)) {
      Assumptions.assumeTrue(
          history.network.canCut(),
          "this user may not have a network namespace with rules of its own, see terrace doctor");
      history.round(RealHistory.Fault.PARTITION);

      assertThat(history.tally.violations).isEmpty();
    }
  }
}
