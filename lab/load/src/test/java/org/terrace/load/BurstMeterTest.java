package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.terrace.load.mix.ThinkTime;

class BurstMeterTest {
  private static final LoadPlan.Phases PHASES =
      new LoadPlan.Phases(Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ZERO);
  private static final LoadPace PACE =
      LoadPace.STEADY.with(
          List.of(new LoadPace.Burst(Duration.ofSeconds(8), Duration.ofSeconds(3), 5, true)));
  private static final ThinkTime EXPONENTIAL = ThinkTime.parse("exp(700ms)");
  private static final int USERS = 400;
  private static final double END_NANOS = 21e9;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The requests of users who keep to a pace, while a service is slow in the burst.
   *
   * @param kept the pace that they really keep to
   */
  private static BurstOffer offered(LoadPace kept) {
    return offered(PACE, kept, EXPONENTIAL);
  }

  private static BurstOffer offered(LoadPace planned, LoadPace kept, ThinkTime think) {
    BurstMeter meter = new BurstMeter(planned, PHASES);
    PaceClock clock = new PaceClock(kept, PHASES);
    SplittableRandom random = new SplittableRandom(11);
    for (int user = 0; user < USERS; user++) {
      for (double free = 0; free < END_NANOS; ) {
        double start = clock.moment(clock.users(free) + think.sampleNanos(random));
        meter.thought(free, Math.min(start, END_NANOS), start < END_NANOS, think);
        boolean isSlow = start > 9e9 && start < 12e9;
        free = start + (isSlow ? 800 : 50) * NANOS_PER_MILLI;
      }
    }
    return meter.offered().getFirst();
  }

  @Test
  void usersWhoHurryBeginWhatIsExpectedThoughTheServiceIsSaturated() {
    BurstOffer offered = offered(PACE);

    assertThat(offered.expected()).isGreaterThan(1_000);
    assertThat(offered.began() / offered.expected()).isCloseTo(1, within(0.1));
  }

  @Test
  void usersWhoDoNotHurryBeginAFactorLess() {
    BurstOffer offered = offered(LoadPace.STEADY);

    assertThat(offered.began() / offered.expected()).isCloseTo(0.2, within(0.03));
  }

  /** Nothing is left outside, or two tenths of a second with a few requests. */
  @Test
  void aBurstThatFillsTheRunOrNearlyIsComparedToo() {
    for (Duration length : List.of(Duration.ofSeconds(20), Duration.ofMillis(19_800))) {
      LoadPace whole =
          LoadPace.STEADY.with(List.of(new LoadPace.Burst(Duration.ZERO, length, 5, true)));

      BurstOffer hurried = offered(whole, whole, EXPONENTIAL);
      BurstOffer usual = offered(whole, LoadPace.STEADY, EXPONENTIAL);

      assertThat(hurried.began() / hurried.expected()).isCloseTo(1, within(0.05));
      assertThat(usual.began() / usual.expected()).isCloseTo(0.2, within(0.03));
    }
  }

  /**
   * All users begin at once and think as long, so that a burst that ends just before they ask again
   * lacks a request of each, and one that begins just before has one too many.
   */
  @Test
  void usersInStepWhoHurryAreNotMissed() {
    ThinkTime constant = ThinkTime.parse("const(4s)");
    Duration at = Duration.ofSeconds(8);
    for (double factor : new double[] {0.2, 0.5, 3, 5}) {
      int missed = 0;
      for (int millis = 200; millis < 10_000; millis += 100) {
        LoadPace pace =
            LoadPace.STEADY.with(
                List.of(new LoadPace.Burst(at, Duration.ofMillis(millis), factor, true)));

        BurstOffer hurried = offered(pace, pace, constant);
        BurstOffer usual = offered(pace, LoadPace.STEADY, constant);

        assertThat(hurried.missing()).as("%s for %d ms", factor, millis).isEmpty();
        missed += usual.missing().isPresent() ? 1 : 0;
      }
      assertThat(missed).as("of a factor of %s", factor).isGreaterThanOrEqualTo(40);
    }
  }
}
