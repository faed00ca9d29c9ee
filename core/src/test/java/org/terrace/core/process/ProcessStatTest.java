package org.terrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessStatTest {
  private static final Duration TICK =
      Duration.ofSeconds(1).dividedBy(ProcessStat.TICKS_PER_SECOND);

  @Test
  void aProcessIsAsOldAsItsVirtualMachineOrALittleOlder() {
    ProcessStat own = ProcessStat.of(ProcessHandle.current().pid()).orElseThrow();
    Duration least = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());

    assertThat(own.age().orElseThrow())
        .isGreaterThanOrEqualTo(least.minus(TICK))
        .isLessThan(least.plusMinutes(5));
  }

  @Test
  void aProcessOfALaterStartThanNowHasNoAge() {
    assertThat(new ProcessStat(1, 'S', 0, 0, 0, 0, Long.MAX_VALUE / 2).age()).isEmpty();
  }
}
