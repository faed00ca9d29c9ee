package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;

/**
 * The hand-over from the threads that end calls to the one that waits for the last of them. The
 * waiting thread reads the clock between its steps, so a clock that ends a call at a chosen reading
 * puts the other thread there.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallsUnderWayTest {
  /** A clock that stands still, and ends a call when it is read for the n-th time. */
  private static final class EndingClock implements TimeSource {
    private final int reading;
    private Runnable task = () -> {};
    private int readings;

    EndingClock(int reading) {
      this.reading = reading;
    }

    @Override
    public long elapsedNanos() {
      readings++;
      if (readings == reading) {
        task.run();
      }
      return 0;
    }

    @Override
    public long epochNanos() {
      throw new UnsupportedOperationException("a wait needs no date");
    }
  }

  private static CallsUnderWay calls(EndingClock clock, int begun) {
    CallsUnderWay calls = new CallsUnderWay(clock);
    for (int call = 0; call < begun; call++) {
      calls.begin();
    }
    return calls;
  }

  /** One that were left waiting would exceed the time of the test. */
  @Test
  void lastCallMayEndBeforeTheWaitBegins() throws InterruptedException {
    EndingClock clock = new EndingClock(1);
    CallsUnderWay calls = calls(clock, 1);
    clock.task = calls::end;

    assertThat(calls.awaitNone(Duration.ofHours(1))).isTrue();
  }

  /**
   * The other thread starts while this one is on its way to the wait, and can only end it there.
   */
  @Test
  void lastCallMayEndWhileTheWaitIsOn() throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      EndingClock clock = new EndingClock(1);
      CallsUnderWay calls = calls(clock, 3);
      clock.task =
          () -> {
            for (int call = 0; call < 3; call++) {
              Thread.startVirtualThread(calls::end);
            }
          };

      assertThat(calls.awaitNone(Duration.ofHours(1))).as("round %d", round).isTrue();
    }
  }

  @Test
  void patienceEndsTheWait() throws InterruptedException {
    EndingClock clock = new EndingClock(Integer.MAX_VALUE);

    assertThat(calls(clock, 1).awaitNone(Duration.ZERO)).isFalse();
  }
}
