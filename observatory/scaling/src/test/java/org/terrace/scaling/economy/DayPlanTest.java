package org.terrace.scaling.economy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.DayPlan.LeftOut;
import org.terrace.scaling.economy.DayPlan.Reason;
import org.terrace.scaling.economy.DayPlan.Step;
import org.terrace.scaling.economy.DayPlan.Untold;
import org.terrace.scaling.economy.Prices.DayLoad;
import org.terrace.testing.Seeds;

/**
 * Plans of days, worked out by hand: a trial of 100 s with n good requests earns 0.36 n an hour,
 * and each of its servers costs 10.
 */
class DayPlanTest {
  private static final double EXACT = 1e-9;
  private static final int NOON = 720;
  private static final Configuration SMALL =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());
  private static final Configuration LARGE = SMALL.withServers("app", 2);
  private static final Configuration HUGE = SMALL.withServers("app", 3);

  /** By hour, SMALL earns 72 - 30 at 100 users and 90 - 30 at 200; LARGE 72 - 40 and 180 - 40. */
  private static final List<MeshTrial> TWO =
      List.of(
          trial(SMALL, 100, 200),
          trial(SMALL, 200, 250),
          trial(LARGE, 100, 200),
          trial(LARGE, 200, 500));

  private static MeshTrial trial(Configuration configuration, int users, long good) {
    return EconomyTrials.trial(configuration, users, 0, good);
  }

  private static DayPlan plan(List<MeshTrial> trials, double start, DayLoad... day) {
    Prices prices =
        new Prices(
            "EUR",
            Map.of("normal", 10.0),
            Map.of(),
            new Terms(100, 0.01, 0.02),
            Arrays.asList(day),
            start);
    DayPlan plan = Plan.of(new Mesh("day", Map.of(), trials), prices).day();
    assertThat(plan).isNotNull();
    return plan;
  }

  private static List<MeshTrial> with(MeshTrial... more) {
    List<MeshTrial> all = new ArrayList<>(TWO);
    all.addAll(List.of(more));
    return all;
  }

  @Test
  void theNightHasTheSmallerOneWhereAStartCostsLessThanItSaves() {
    DayPlan plan = plan(TWO, 5, new DayLoad(0, 100), new DayLoad(NOON, 200));

    assertThat(plan.steps())
        .extracting(Step::configuration, Step::started, Step::interpolated, Step::minutes)
        .containsExactly(tuple(SMALL, 0, false, NOON), tuple(LARGE, 1, false, NOON));
    assertThat(plan.steps().getFirst().profitPerHour()).isCloseTo(42, within(EXACT));
    assertThat(plan.steps().getLast().profitPerHour()).isCloseTo(140, within(EXACT));
    assertThat(plan.profitPerDay()).isCloseTo(12 * 42 + 12 * 140 - 5, within(EXACT));
    assertThat(plan.fixed()).isEqualTo(LARGE);
    assertThat(plan.fixedProfitPerDay()).isCloseTo(12 * 32 + 12 * 140, within(EXACT));
    assertThat(plan.leftOut()).isEmpty();
  }

  @Test
  void nothingChangesWhereAStartCostsMoreThanItSaves() {
    DayPlan plan = plan(TWO, 12 * 10 + 1, new DayLoad(0, 100), new DayLoad(NOON, 200));

    assertThat(plan.steps()).extracting(Step::configuration).containsExactly(LARGE, LARGE);
    assertThat(plan.profitPerDay()).isCloseTo(plan.fixedProfitPerDay(), within(EXACT));
  }

  /** At 125 users LARGE earns 72 + 108 / 4 - 40, at 50 SMALL 72 / 2 - 30, and without any -30. */
  @Test
  void incomeBetweenMeasuredLoadsLiesOnTheLineBetweenThem() {
    DayPlan plan =
        plan(
            TWO,
            0,
            new DayLoad(0, 0),
            new DayLoad(360, 50),
            new DayLoad(NOON, 125),
            new DayLoad(1_080, 200));

    assertThat(plan.steps())
        .extracting(Step::configuration)
        .containsExactly(SMALL, SMALL, LARGE, LARGE);
    assertThat(plan.steps())
        .extracting(Step::interpolated)
        .containsExactly(true, true, true, false);
    double[] profits = plan.steps().stream().mapToDouble(Step::profitPerHour).toArray();
    assertThat(profits).containsExactly(new double[] {-30, 6, 59, 140}, within(EXACT));
    assertThat(plan.profitPerDay()).isCloseTo(6 * (-30 + 6 + 59 + 140), within(EXACT));
  }

  /** HUGE earns 720 - 50 an hour at 100 users, and was not measured with more. */
  @Test
  void aConfigurationRunsInTheHoursThatItWasMeasuredForAndIsNamedForTheOthers() {
    List<MeshTrial> trials = with(trial(HUGE, 100, 2_000));
    DayPlan plan = plan(trials, 0, new DayLoad(0, 100), new DayLoad(NOON, 200));

    assertThat(plan.steps()).extracting(Step::configuration).containsExactly(HUGE, LARGE);
    assertThat(plan.leftOut())
        .containsExactly(new LeftOut(HUGE, Reason.NOT_MEASURED, List.of(200), 100));
    assertThat(plan.profitPerDay()).isCloseTo(12 * (720 - 50) + 12 * 140, within(EXACT));
    assertThat(plan.fixed()).as("one that can run all day").isEqualTo(LARGE);

    DayPlan quiet = plan(trials, 0, new DayLoad(0, 100));
    assertThat(quiet.leftOut()).isEmpty();
    assertThat(quiet.steps()).extracting(Step::configuration).containsExactly(HUGE);
    assertThat(quiet.profitPerDay()).isCloseTo(24 * (720 - 50), within(EXACT));
  }

  /** Each of two is known at the load at which most trials of the other failed. */
  @Test
  void hoursOfWhichNoneKnowsAllArePlannedEachByThoseThatWereMeasuredThere() {
    List<MeshTrial> trials =
        List.of(
            trial(SMALL, 100, 200),
            EconomyTrials.failed(SMALL, 200, 0),
            EconomyTrials.failed(LARGE, 100, 0),
            trial(LARGE, 200, 500),
            EconomyTrials.failed(HUGE, 100, 0));
    DayPlan plan = plan(trials, 5, new DayLoad(0, 100), new DayLoad(NOON, 200));

    assertThat(plan.untold()).isEmpty();
    assertThat(plan.steps())
        .extracting(Step::minute, Step::minutes, Step::configuration)
        .containsExactly(tuple(0, NOON, SMALL), tuple(NOON, NOON, LARGE));
    assertThat(plan.profitPerDay()).isCloseTo(12 * 42 + 12 * 140 - 5, within(EXACT));
    assertThat(plan.fixed()).as("none can run all day").isNull();
    assertThat(plan.gain()).as("nothing to compare with").isNull();
    assertThat(plan.leftOut())
        .containsExactly(
            new LeftOut(SMALL, Reason.FAILED, List.of(200), 100),
            new LeftOut(LARGE, Reason.FAILED, List.of(100), 200),
            new LeftOut(HUGE, Reason.FAILED, List.of(100), 0),
            new LeftOut(HUGE, Reason.NOT_MEASURED, List.of(200), 0));
  }

  /** Trials failed at the least load, so that nothing is known up to the next; of none all is. */
  @Test
  void hoursWithoutUsersArePlannedWhateverFailed() {
    List<MeshTrial> trials = List.of(EconomyTrials.failed(SMALL, 100, 0), trial(SMALL, 200, 250));
    DayPlan plan = plan(trials, 0, new DayLoad(0, 0), new DayLoad(360, 50), new DayLoad(NOON, 200));

    assertThat(plan.untold()).containsExactly(new Untold(360, 360, 50));
    assertThat(plan.steps())
        .extracting(Step::users, Step::configuration)
        .containsExactly(tuple(0, SMALL), tuple(200, SMALL));
    assertThat(plan.steps().getFirst().profitPerHour()).isCloseTo(-30, within(EXACT));
    assertThat(plan.leftOut()).containsExactly(new LeftOut(SMALL, Reason.FAILED, List.of(50), 200));
  }

  @Test
  void hoursAtWhoseLoadAllTrialsFailedAreUntoldAndTheOthersArePlanned() {
    List<MeshTrial> trials =
        with(EconomyTrials.failed(SMALL, 300, 0), EconomyTrials.failed(LARGE, 300, 0));

    DayPlan plan =
        plan(trials, 0, new DayLoad(0, 100), new DayLoad(360, 300), new DayLoad(NOON, 200));

    assertThat(plan.untold()).containsExactly(new Untold(360, 360, 300));
    assertThat(plan.steps())
        .extracting(Step::minute, Step::minutes, Step::configuration)
        .containsExactly(tuple(0, 360, SMALL), tuple(NOON, NOON, LARGE));
    assertThat(plan.profitPerDay()).isCloseTo(6 * 42 + 12 * 140, within(EXACT));
    assertThat(plan.fixed()).isEqualTo(LARGE);
    assertThat(plan.fixedProfitPerDay()).isCloseTo(6 * 32 + 12 * 140, within(EXACT));
    assertThat(plan.leftOut())
        .containsExactly(
            new LeftOut(SMALL, Reason.FAILED, List.of(300), 200),
            new LeftOut(LARGE, Reason.FAILED, List.of(300), 200));

    DayPlan none = plan(trials, 0, new DayLoad(NOON, 250));
    assertThat(none.untold()).containsExactly(new Untold(NOON, 2 * NOON, 250));
    assertThat(none.steps()).isEmpty();
    assertThat(none.fixed()).isNull();
  }

  /** SMALL was measured at 100 and at 300 users and failed at 200, where LARGE was measured. */
  @Test
  void noIncomeIsInterpolatedOverALoadAtWhichTrialsFailed() {
    List<MeshTrial> trials =
        List.of(
            trial(SMALL, 100, 2_000),
            EconomyTrials.failed(SMALL, 200, 0),
            trial(SMALL, 300, 2_000),
            trial(LARGE, 100, 200),
            trial(LARGE, 200, 250),
            trial(LARGE, 300, 250));

    DayPlan plan = plan(trials, 0, new DayLoad(0, 100), new DayLoad(NOON, 150));
    DayPlan measured = plan(trials, 0, new DayLoad(0, 100), new DayLoad(NOON, 300));

    assertThat(plan.steps()).extracting(Step::configuration).containsExactly(SMALL, LARGE);
    assertThat(plan.leftOut())
        .containsExactly(new LeftOut(SMALL, Reason.FAILED, List.of(150), 300));
    assertThat(plan.untold()).isEmpty();
    assertThat(measured.steps()).extracting(Step::configuration).containsExactly(SMALL, SMALL);
  }

  /** HUGE earns 720 - 50 at 400 users, and so 360 - 50 at 200, on the line from none. */
  @Test
  void aGreaterLoadThanTheHighestIsEnough() {
    DayPlan plan = plan(with(trial(HUGE, 400, 2_000)), 0, new DayLoad(0, 200));

    assertThat(plan.leftOut()).isEmpty();
    assertThat(plan.steps().getFirst().configuration()).isEqualTo(HUGE);
    assertThat(plan.steps().getFirst().interpolated()).isTrue();
    assertThat(plan.steps().getFirst().profitPerHour()).isCloseTo(310, within(EXACT));
  }

  /** Trials of which the second has as many good requests fewer as the third has more. */
  private static List<MeshTrial> thrice(
      Configuration configuration, int users, long good, long spread) {
    return List.of(
        EconomyTrials.trial(configuration, users, 0, good),
        EconomyTrials.trial(configuration, users, 1, good - spread),
        EconomyTrials.trial(configuration, users, 2, good + spread));
  }

  private static List<MeshTrial> two(Configuration other, long spread) {
    List<MeshTrial> trials = new ArrayList<>(thrice(SMALL, 100, 202, spread));
    trials.addAll(thrice(SMALL, 200, 500, spread));
    trials.addAll(thrice(other, 100, 200, spread));
    trials.addAll(thrice(other, 200, 502, spread));
    return trials;
  }

  /** Each of both is ahead by 0.72 an hour for half the day. */
  @Test
  void aGainThatMayBeChanceIsNotTold() {
    DayPlan plan = plan(two(variant(1), 10), 0, new DayLoad(0, 100), new DayLoad(NOON, 200));

    DayGain gain = plan.gain();
    assertThat(gain).isNotNull();
    assertThat(gain.perDay()).isCloseTo(12 * 0.72, within(EXACT));
    assertThat(gain.told()).isFalse();
    assertThat(gain.low()).isNegative();
    assertThat(gain.high()).isGreaterThan(gain.perDay());
    assertThat(gain).extracting(DayGain::repeats, DayGain::loads).containsExactly(3, 2);

    DayGain once = plan(TWO, 5, new DayLoad(0, 100), new DayLoad(NOON, 200)).gain();
    assertThat(once).isNotNull();
    assertThat(once.perDay()).isCloseTo(12 * 10 - 5, within(EXACT));
    assertThat(once).extracting(DayGain::low, DayGain::repeats).containsExactly(null, 1);
    assertThat(once.told()).isFalse();
    assertThat(plan(TWO, 0, new DayLoad(0, 100)).gain()).as("nothing changes").isNull();
  }

  /**
   * The difference of both at the least load, where alone they run apart, and where alone all that
   * is asked for is answered. So the two have one variance of four degrees of freedom, and
   * Student's quantile of half of 0.05 by two loads is 3.495, and for the upper end, with either of
   * both as the single one, of half as much 4.315.
   */
  @Test
  void aGainBeyondChanceIsToldWithTheIntervalWorkedOutByHand() {
    List<MeshTrial> trials = new ArrayList<>(thrice(SMALL, 100, 200, 2));
    trials.addAll(thrice(SMALL, 200, 200, 2));
    trials.addAll(thrice(LARGE, 100, 200, 2));
    trials.addAll(thrice(LARGE, 200, 300, 3));
    DayGain gain = plan(trials, 5, new DayLoad(0, 100), new DayLoad(NOON, 200)).gain();

    assertThat(gain).isNotNull();
    assertThat(gain.told()).isTrue();
    assertThat(gain.perDay()).isCloseTo(12 * 10 - 5, within(EXACT));
    double deviation = 0.36 * 2 * Math.sqrt(2.0 / 3);
    assertThat(gain.perDay() - gain.low()).isCloseTo(12 * 3.495 * deviation, within(0.02));
    assertThat(gain.high() - gain.perDay()).isCloseTo(12 * 4.315 * deviation, within(0.02));
  }

  /** As the best at each load is chosen from six, some gain is nearly always seen. */
  @Test
  void amongConfigurationsThatAreAlikeAGainIsHardlyEverTold() {
    RandomGenerator random = Seeds.generator(Seeds.next("DayPlanTest.alike"));
    int rounds = 400;
    int seen = 0;
    int told = 0;
    for (int round = 0; round < rounds; round++) {
      List<MeshTrial> trials = new ArrayList<>();
      for (int each = 0; each < 6; each++) {
        for (int users = 100; users <= 300; users += 100) {
          for (int repeat = 0; repeat < 3; repeat++) {
            long good = Math.round(10_000 + 200 * random.nextGaussian());
            trials.add(EconomyTrials.trial(variant(each), users, repeat, good));
          }
        }
      }
      DayPlan plan =
          plan(trials, 0, new DayLoad(0, 100), new DayLoad(480, 200), new DayLoad(960, 300));
      DayGain gain = plan.gain();
      seen += gain == null ? 0 : 1;
      told += gain != null && gain.told() ? 1 : 0;
    }
    System.out.printf("of %d days, %d gain and %d are told%n", rounds, seen, told);
    assertThat(seen).isGreaterThan(rounds / 2);
    assertThat(told).isLessThan(rounds / 20);
  }

  private static Configuration variant(int number) {
    return new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of("pool", "p" + number));
  }

  @Test
  void ofMoreThanAreTriedTheLeastProfitableAreNamed() {
    List<MeshTrial> trials = new ArrayList<>();
    List<Configuration> configurations = new ArrayList<>();
    for (int each = 0; each < 63; each++) {
      Configuration one = variant(each);
      configurations.add(one);
      trials.add(trial(one, 100, 200 + each));
    }
    DayPlan plan = plan(trials, 0, new DayLoad(0, 100));

    assertThat(plan.steps().getFirst().configuration()).isEqualTo(configurations.getLast());
    assertThat(plan.leftOut())
        .containsExactlyInAnyOrder(
            new LeftOut(configurations.get(0), Reason.LESS_PROFITABLE, List.of(100), 100),
            new LeftOut(configurations.get(1), Reason.LESS_PROFITABLE, List.of(100), 100),
            new LeftOut(configurations.get(2), Reason.LESS_PROFITABLE, List.of(100), 100));
  }
}
