package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class MonitorThreadsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final long BUSY_NANOS = 200_000_000;

  @Test
  void theTimeOfItsThreadsCountsAndNoOther() {
    MonitorThreads own = new MonitorThreads("own");
    MonitorThreads idle = new MonitorThreads("idle");
    AtomicBoolean ended = new AtomicBoolean();
    Thread started =
        own.counting(
            "inner-",
            () -> {
              Thread inner =
                  Thread.ofPlatform().daemon().name("inner-1").unstarted(() -> busy(ended));
              inner.start();
              return inner;
            });
    try {
      assertThat(Await.until(SOON, () -> own.cpuNanos() > BUSY_NANOS)).isTrue();
      assertThat(idle.cpuNanos()).isZero();
      long inner = own.cpuNanos();
      own.newThread(() -> busy(ended)).start();
      assertThat(Await.until(SOON, () -> own.cpuNanos() > inner + 2 * BUSY_NANOS)).isTrue();
    } finally {
      ended.set(true);
    }
    assertThat(started.isDaemon()).isTrue();
  }

  private static void busy(AtomicBoolean ended) {
    long sum = 0;
    while (!ended.get()) {
      sum++;
    }
    assertThat(sum).isPositive();
  }
}
