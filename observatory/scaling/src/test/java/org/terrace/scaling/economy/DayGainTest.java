package org.terrace.scaling.economy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.Prices.DayLoad;
import org.terrace.testing.Seeds;

class DayGainTest {
  private static final int MORNING = 480;
  private static final int USERS = 200;
  private static final Configuration ONE =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());

  private static DayPlan plan(List<MeshTrial> trials, int night) {
    Prices prices =
        new Prices(
            "EUR",
            Map.of("normal", 0.2),
            Map.of(),
            new Terms(500, 0.0001, 0.0002),
            List.of(new DayLoad(0, night), new DayLoad(MORNING, USERS)),
            0);
    DayPlan plan = Plan.of(new Mesh("day", Map.of(), trials), prices).day();
    assertThat(plan).isNotNull();
    return plan;
  }

  /**
   * Servers that all answer alike, so that in truth the cheapest all day earns most, and a day that
   * changes earns less. As the intervals hold with 95 %, chance tells a gain in fewer than 20 of
   * 400 days; 45 or more happen by chance in fewer than 1e-6 of the runs (binomial).
   */
  @ParameterizedTest
  @CsvSource({"2,0,3", "2,20,5", "3,5,3", "3,0,5", "6,0,3", "6,20,3"})
  void ofServersThatAnswerAlikeAChangeIsHardlyEverToldToEarnMore(
      int configurations, int night, int repeats) {
    String name = "DayGainTest.alike." + configurations + "." + night + "." + repeats;
    RandomGenerator random = Seeds.generator(Seeds.next(name));
    int rounds = 400;
    int told = 0;
    for (int round = 0; round < rounds; round++) {
      List<MeshTrial> trials = new ArrayList<>();
      for (int servers = 1; servers <= configurations; servers++) {
        for (int users : night == 0 ? List.of(USERS) : List.of(night, USERS)) {
          for (int repeat = 0; repeat < repeats; repeat++) {
            long good = Math.round(users * 100 * (1 + 0.01 * random.nextGaussian()));
            Configuration each = ONE.withServers("app", servers);
            trials.add(EconomyTrials.trial(each, users, repeat, good));
          }
        }
      }
      DayGain gain = plan(trials, night).gain();
      told += gain != null && gain.told() ? 1 : 0;
    }
    System.out.printf("of %d days whose changes earn nothing, %d are told to%n", rounds, told);
    assertThat(told).isLessThan(45);
  }

  /** The price of a server by night is exact, but not that one is needed by day. */
  @Test
  void aNightWithoutUsersTellsNothingWhereNoTrialWasRepeated() {
    DayGain gain =
        plan(
                List.of(
                    EconomyTrials.trial(ONE, USERS, 0, 100_000),
                    EconomyTrials.trial(ONE.withServers("app", 2), USERS, 0, 200_000)),
                0)
            .gain();

    assertThat(gain).isNotNull();
    assertThat(gain).extracting(DayGain::low, DayGain::high).containsOnlyNulls();
    assertThat(gain.repeats()).isEqualTo(1);
    assertThat(gain.told()).isFalse();
  }

  /** Two servers answer twice as much by day, and by night one of them saves 0.20 an hour. */
  @Test
  void aNightWithoutUsersIsToldToSaveServersThatAreNeededByDayBeyondChance() {
    List<MeshTrial> trials = new ArrayList<>();
    for (int repeat = 0; repeat < 3; repeat++) {
      trials.add(EconomyTrials.trial(ONE, USERS, repeat, 100_000 + repeat));
      trials.add(EconomyTrials.trial(ONE.withServers("app", 2), USERS, repeat, 200_000 + repeat));
    }
    DayGain gain = plan(trials, 0).gain();

    assertThat(gain).isNotNull();
    assertThat(gain.told()).isTrue();
    assertThat(gain.low()).isCloseTo(8 * 0.2, within(1e-9));
    assertThat(gain.repeats()).isEqualTo(3);
  }
}
