package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.core.TimeSource;

class LoadClockTest {
  private static final long MILLI = 1_000_000;

  /** Clocks that take a microsecond to be read, and one reading of them much longer. */
  private static final class Clocks implements TimeSource {
    private long elapsed = 500 * MILLI;
    private long ahead = 1_000_000 * MILLI;
    private int readings;

    @Override
    public long epochNanos() {
      long now = elapsed + ahead;
      elapsed += readings++ % 4 == 0 ? 40 * MILLI : 1_000;
      return now;
    }

    @Override
    public long elapsedNanos() {
      return elapsed;
    }
  }

  private final Clocks clocks = new Clocks();

  @Test
  void aReadingThatWasInterruptedIsNoDrift() {
    LoadClock clock = new LoadClock(clocks);
    clocks.readings = 1;
    clocks.elapsed += 60_000 * MILLI;

    assertThat(clock.driftNanos()).isBetween(-1_000L, 1_000L);
  }

  @Test
  void theDriftIsTheDistanceByWhichTheWallClockWasSet() {
    LoadClock clock = new LoadClock(clocks);
    clocks.ahead -= 7 * MILLI;

    assertThat(clock.driftNanos()).isBetween(-7 * MILLI - 1_000, -7 * MILLI + 1_000);
    assertThat(clock.epochNanos(1) - clock.epochNanos(0)).isEqualTo(1);
  }
}
