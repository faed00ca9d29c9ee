package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class ArrivalScheduleTest {
  @Test
  void poissonArrivalsHaveTheRateAndTheSpreadOfAPoissonProcess() {
    RandomGenerator random = Seeds.generator(Seeds.next("ArrivalScheduleTest"));
    LoadPlan.Open open = new LoadPlan.Open(1000, LoadPlan.Spacing.POISSON, 1);
    ArrivalSchedule schedule =
        new ArrivalSchedule(
            open,
            10,
            random,
            new PaceClock(
                LoadPace.STEADY,
                new LoadPlan.Phases(
                    Duration.ofSeconds(10), Duration.ofSeconds(190), Duration.ZERO)));
    int[] perSecond = new int[200];
    long before = 0;
    for (long at = schedule.nextNanos(); at < 200_000_000_000L; at = schedule.nextNanos()) {
      assertThat(at).isGreaterThanOrEqualTo(before);
      before = at;
      perSecond[(int) (at / 1_000_000_000L)]++;
    }
    double sum = 0;
    double squares = 0;
    for (int second = 10; second < 200; second++) {
      sum += perSecond[second];
      squares += (perSecond[second] - 1000.0) * (perSecond[second] - 1000.0);
    }

    assertThat(sum / 190).isCloseTo(1000, within(12.0));
    // By chi-squared with 190 degrees of freedom less than one of a million builds is outside; even
    // arrivals have a spread near 0.
    assertThat(squares / 190).isBetween(550.0, 1_620.0);
    assertThat((double) perSecond[4]).as("half way up the ramp").isCloseTo(450, within(110.0));
  }
}
