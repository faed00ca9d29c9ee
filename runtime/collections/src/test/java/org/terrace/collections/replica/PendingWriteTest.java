package org.terrace.collections.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;

/**
 * The hand-over from the thread that receives an acknowledgement to the one that waits for it. The
 * waiting thread reads the clock at every step, so a clock that acknowledges at a chosen reading
 * puts the other thread between any two of its steps.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PendingWriteTest {
  private static final long LONG_NANOS = 600_000_000_000L;
  private static final int MOST_READINGS = 4;

  /** A clock that acknowledges a write when it is read for the n-th time. */
  private static final class AcknowledgingClock implements TimeSource {
    private final int reading;
    private final List<PendingWrite> writes = new ArrayList<>();
    private int readings;

    AcknowledgingClock(int reading) {
      this.reading = reading;
    }

    @Override
    public long elapsedNanos() {
      readings++;
      if (readings == reading) {
        writes.forEach(PendingWrite::acknowledge);
      }
      return readings;
    }

    @Override
    public long epochNanos() {
      throw new UnsupportedOperationException("a wait needs no date");
    }
  }

  /** One that were left parked would exceed the time of the test. */
  @Test
  void noWakeUpIsLostBetweenAnyTwoStepsOfTheWaitingThread() {
    for (int reading = 1; reading <= MOST_READINGS; reading++) {
      AcknowledgingClock clock = new AcknowledgingClock(reading);
      PendingWrite write = new PendingWrite(1, WriteLevel.ALL, clock);
      clock.writes.add(write);
      long spin = reading - 1L; // it spins before that reading, and would park after it

      assertThat(write.await(LONG_NANOS, spin)).as("acknowledged at reading %d", reading).isTrue();
    }
  }

  @Test
  void whoIsNotAcknowledgedGivesUpAndKeepsItsInterrupt() {
    PendingWrite write =
        new PendingWrite(1, WriteLevel.ALL, new AcknowledgingClock(Integer.MAX_VALUE));
    Thread.currentThread().interrupt();

    // Each reading moves this clock by one nanosecond, so this is three readings, whatever parking
    // takes.
    assertThat(write.await(2, 0)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }
}
