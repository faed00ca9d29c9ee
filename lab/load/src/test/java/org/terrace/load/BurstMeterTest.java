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
  private static final int USERS = 400;
  private static final double END_NANOS = 21e9;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The requests of users who keep to a pace, while a service is slow in the burst.
   *
   * @param kept the pace that they really keep to
   */
  private static BurstMeter.Offered offered(LoadPace kept) {
    BurstMeter meter = new BurstMeter(PACE, PHASES);
    PaceClock clock = new PaceClock(kept, PHASES);
    ThinkTime think = ThinkTime.parse("exp(700ms)");
    SplittableRandom random = new SplittableRandom(11);
    for (int user = 0; user < USERS; user++) {
      for (double free = 0; free < END_NANOS; ) {
        double start = clock.moment(clock.users(free) + think.sampleNanos(random));
        meter.thought(free, Math.min(start, END_NANOS), start < END_NANOS);
        boolean isSlow = start > 9e9 && start < 12e9;
        free = start + (isSlow ? 800 : 50) * NANOS_PER_MILLI;
      }
    }
    return meter.offered().getFirst();
  }

  @Test
  void usersWhoHurryBeginWhatIsExpectedThoughTheServiceIsSaturated() {
    BurstMeter.Offered offered = offered(PACE);

    assertThat(offered.expected()).isGreaterThan(1_000);
    assertThat(offered.began() / offered.expected()).isCloseTo(1, within(0.1));
  }

  @Test
  void usersWhoDoNotHurryBeginAFactorLess() {
    BurstMeter.Offered offered = offered(LoadPace.STEADY);

    assertThat(offered.began() / offered.expected()).isCloseTo(0.2, within(0.03));
  }
}
