package org.terrace.collections.structures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AgreedTimeTest {
  private static final long SECOND = 1_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final long BEGAN = 1_790_000_000_000L;
  private static final long WILD = 1;
  private static final long HONEST = 2;

  private long millis;
  private final AgreedTime time = new AgreedTime(now());

  /** The present of a machine whose wall clock is right. */
  private StepTime now() {
    return new StepTime(millis * 1_000_000, (BEGAN + millis) * 1_000_000);
  }

  /** Lets a second pass in which some others are there, the wild one an hour behind. */
  private void second(long... there) {
    millis += SECOND;
    for (long replica : there) {
      ClocksTold told = ClocksTold.ofWall(BEGAN + millis - (replica == HONEST ? 0 : HOUR));
      time.observe(replica, told, now());
    }
    time.settle(
        now(), replica -> Arrays.stream(there).anyMatch(each -> each == replica), there.length);
  }

  private long error() {
    return time.millisAt(now().elapsedNanos()) - BEGAN - millis;
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
