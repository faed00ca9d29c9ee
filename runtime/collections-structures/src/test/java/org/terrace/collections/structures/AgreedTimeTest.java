package org.terrace.collections.structures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.terrace.core.TimeSource;

class AgreedTimeTest {
  private static final long SECOND = 1_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final long BEGAN = 1_790_000_000_000L;
  private static final long WILD = 1;
  private static final long HONEST = 2;

  private final Machine machine = new Machine();
  private final AgreedTime time = new AgreedTime(machine);

  /** A machine whose wall clock is right. */
  private static final class Machine implements TimeSource {
    private long millis;

    @Override
    public long elapsedNanos() {
      return millis * 1_000_000;
    }

    @Override
    public long epochNanos() {
      return (BEGAN + millis) * 1_000_000;
    }
  }

  /** Lets a second pass in which some others are there, the wild one an hour behind. */
  private void second(long... there) {
    machine.millis += SECOND;
    for (long replica : there) {
      time.observe(replica, BEGAN + machine.millis - (replica == HONEST ? 0 : HOUR));
    }
    time.settle(replica -> Arrays.stream(there).anyMatch(each -> each == replica), there.length);
  }

  private long error() {
    return time.nowMillis() - BEGAN - machine.millis;
  }

  @Test
  void whoLosesSightOfTheOtherHonestClockForAMomentDoesNotGoBackWithTheWildOne() {
    second(WILD, HONEST);
    assertThat(error()).isZero();

    for (int i = 0; i < 50; i++) {
      second(WILD);
      assertThat(error()).isZero();
    }
    second(WILD, HONEST);

    assertThat(error()).isZero();
  }

  @Test
  void ofTwoTheClockThatKeepsEntriesLongerCountsAfterAMinute() {
    second(WILD, HONEST);

    for (int i = 0; i < 62; i++) {
      second(WILD);
    }

    assertThat(error()).isEqualTo(-HOUR);
  }

  /** A machine counts once, however many incarnations of its process were heard within a minute. */
  @Test
  void aReplicaThatBeginsAnewIsOneClock() {
    second(WILD, HONEST);
    for (int i = 0; i < 10; i++) {
      second(HONEST);
      second(WILD, HONEST);
    }

    assertThat(error()).isZero();
  }

  @Test
  void theTimeGoesAheadByATenthAndBackAtOnce() {
    second(HONEST, WILD, 3, 4);
    assertThat(error()).isEqualTo(-HOUR);

    for (int i = 0; i < 70; i++) {
      second(HONEST);
    }
    assertThat(error()).isBetween(-HOUR + SECOND / 2, -HOUR + 2 * SECOND);

    second(WILD, 3, 4);
    assertThat(error()).isEqualTo(-HOUR);
  }
}
