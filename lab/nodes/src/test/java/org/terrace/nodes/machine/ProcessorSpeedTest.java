package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real-processes")
class ProcessorSpeedTest {
  @Test
  void theSameMachineHasTheSameSpeedTwice() {
    double first = ProcessorSpeed.slowdown();
    double second = ProcessorSpeed.slowdown();

    System.out.printf(
        "slowdown %.2f and %.2f, work %d ns%n", first, second, ProcessorSpeed.workNanos());
    assertThat(first).isBetween(ProcessorSpeed.LEAST, ProcessorSpeed.MOST);
    assertThat(second / first).isBetween(0.6, 1.6);
  }

  /** As an agent's, whose threads have no processor time of their own. */
  @Test
  void aVirtualThreadIsToldTheSame() {
    double own = ProcessorSpeed.slowdown();
    double virtual =
        CompletableFuture.supplyAsync(ProcessorSpeed::slowdown, Thread::startVirtualThread).join();

    assertThat(virtual / own).isBetween(0.6, 1.6);
  }
}
