package org.terrace.scaling.economy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.FailedTrials;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;

class PlanTest {
  private static final Configuration SMALL =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());
  private static final Configuration LARGE =
      new Configuration("1/2/0/1", "postgresql", Map.of("app", "L"), Map.of());
  private static final Configuration TWO = SMALL.withServers("app", 2);
  private static final Terms TERMS = new Terms(100, 0.01, 0.02);

  @Test
  void profitIsThatWorkedOutByHand() {
    // 1,000 requests in 100 s: 800 within 100 ms, 150 slower, 50 failed.
    ProfitCell cell =
        plan(prices(0), EconomyTrials.trial(SMALL, 100, 0, 800, 150, 50)).cells().getFirst();

    assertThat(cell.revenuePerHour()).isCloseTo(3_600 * 0.01 * 8, within(1e-9));
    assertThat(cell.penaltyPerHour()).isCloseTo(3_600 * 0.02 * 2, within(1e-9));
    assertThat(cell.costPerHour()).isCloseTo(3 * 10, within(1e-9));
    assertThat(cell.profitPerHour()).isCloseTo(288 - 144 - 30, within(1e-9));
    assertThat(cell.successShare()).isCloseTo(0.8, within(1e-9));
    assertThat(cell.low()).isNull();
  }

  @Test
  void aLowerThresholdTurnsRevenueIntoPenaltyWithoutAnotherTrial() {
    MeshTrial trial = EconomyTrials.trial(SMALL, 100, 0, 1_000, 0, 0);
    Prices strict =
        new Prices(
            "EUR", Map.of("normal", 1.0), Map.of("page", new Terms(50, 1, 1)), null, List.of(), 0);

    // All lie between 0 and 100 ms, as spread evenly: half of them within 50 ms.
    ProfitCell cell = plan(strict, trial).cells().getFirst();
    assertThat(cell.successShare()).isCloseTo(0.5, within(1e-9));
    assertThat(cell.doubtfulShare()).isCloseTo(1, within(1e-9));
  }

  @Test
  void aConfigurationOfWhichMostTrialsFailedIsNotRanked() {
    Plan plan =
        plan(
            prices(0),
            EconomyTrials.trial(SMALL, 100, 0, 1_000),
            EconomyTrials.trial(SMALL, 100, 1, 1_010),
            EconomyTrials.failed(SMALL, 100, 2),
            EconomyTrials.failed(SMALL, 100, 3),
            EconomyTrials.trial(TWO, 100, 0, 9_000),
            EconomyTrials.failed(TWO, 100, 1),
            EconomyTrials.failed(TWO, 100, 2));

    LoadChoice choice = plan.choices().getFirst();
    assertThat(choice.best().configuration()).as("half were done").isEqualTo(SMALL);
    assertThat(choice.rivals()).isEmpty();
    assertThat(choice.told()).isFalse();
    assertThat(choice.lost())
        .containsExactly(new LostCell(TWO, 100, 1, new FailedTrials(2, List.of())));
    assertThat(plan.cells()).extracting(ProfitCell::configuration).containsExactly(SMALL);
    assertThat(plan.highestProfit().configuration()).isEqualTo(SMALL);
    assertThatThrownBy(() ->
            plan(
                prices(0),
                EconomyTrials.trial(TWO, 100, 0, 9_000),
                EconomyTrials.failed(TWO, 100, 1),
                EconomyTrials.failed(TWO, 100, 2)))
        .hasMessageContaining("most trials failed of each configuration");
  }

  @Test
  void whatHasNoPriceIsNamed() {
    Prices none = new Prices("EUR", Map.of("L", 1.0), Map.of(), TERMS, List.of(), 0);
    assertThatThrownBy(() -> plan(none, EconomyTrials.trial(SMALL, 100, 0, 1, 0, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'normal'")
        .hasMessageContaining("1/1/0/1");
    Prices classes = new Prices("EUR", Map.of("normal", 1.0), Map.of(), null, List.of(), 0);
    assertThatThrownBy(() -> plan(classes, EconomyTrials.trial(SMALL, 100, 0, 1, 0, 0)))
        .hasMessageContaining("'page'");
    assertThatThrownBy(() -> Plan.of(mesh(List.of()), classes))
        .hasMessageContaining("no trial was done");
  }

  @Test
  void theBestIsToldFromOthersOnlyBeyondChance() {
    List<MeshTrial> trials = new ArrayList<>();
    for (int repeat = 0; repeat < 3; repeat++) {
      trials.add(EconomyTrials.trial(SMALL, 100, repeat, 800 + repeat, 10, 0));
      trials.add(EconomyTrials.trial(LARGE, 100, repeat, 799 + repeat, 10, 0));
      trials.add(EconomyTrials.trial(SMALL, 200, repeat, 100 + repeat, 900, 0));
      trials.add(EconomyTrials.trial(LARGE, 200, repeat, 900 + repeat, 100, 0));
    }
    // A server of type L costs next to nothing, so that both are alike at 100 users.
    Prices prices =
        new Prices("EUR", Map.of("normal", 10.0, "L", 5.0), Map.of(), TERMS, List.of(), 0);

    Plan plan = Plan.of(mesh(trials), prices);

    assertThat(plan.choices().getFirst().ties()).hasSize(1);
    assertThat(plan.choices().getLast().best().configuration()).isEqualTo(LARGE);
    assertThat(plan.choices().getLast().ties()).isEmpty();
    assertThat(plan.choices().getLast().best().low()).isNotNull();
  }

  /** One was skipped at 100 users, and one is not there at all. */
  @Test
  void theBestIsNotToldFromOthersThatWereNotMeasured() {
    List<MeshTrial> trials = new ArrayList<>();
    for (int repeat = 0; repeat < 3; repeat++) {
      trials.add(EconomyTrials.trial(SMALL, 100, repeat, 800 + repeat));
      trials.add(EconomyTrials.trial(TWO, 100, repeat, 300 + repeat));
      trials.add(EconomyTrials.skipped(SMALL.withServers("app", 3), 100, repeat));
      trials.add(EconomyTrials.trial(SMALL.withServers("app", 4), 200, repeat, 300 + repeat));
    }

    LoadChoice choice = Plan.of(mesh(trials), prices(0)).choices().getFirst();

    assertThat(choice.ties()).isEmpty();
    assertThat(choice.told()).isFalse();
  }

  @Test
  void breakEvenLiesWhereTheLineCrossesZero() {
    // At 100 users 20 a hour are lost, at 200 there are 60 earned, at 300 20 lost.
    Plan plan = plan(prices(0), at(100, -20), at(200, 60), at(300, -20));

    assertThat(plan.bestBreakEven()).hasSize(1);
    assertThat(plan.bestBreakEven().getFirst().fromUsers()).isCloseTo(125, within(0.5));
    assertThat(plan.bestBreakEven().getFirst().toUsers()).isCloseTo(275, within(0.5));
    assertThat(plan.bestBreakEven().getFirst().measuredFrom()).isTrue();
  }

  /** Each trial at 200 and 300 users failed. */
  @Test
  void breakEvenEndsBesideALoadAtWhichEachTrialFailed() {
    Plan plan =
        plan(
            prices(0),
            at(50, -20),
            at(100, 60),
            EconomyTrials.failed(SMALL, 200, 0),
            EconomyTrials.failed(SMALL, 300, 0),
            at(400, 60),
            at(500, -20));

    for (List<BreakEven> stretches : List.of(plan.bestBreakEven(), plan.breakEven().get(SMALL))) {
      assertThat(stretches).hasSize(2);
      assertThat(stretches.getFirst().fromUsers()).isCloseTo(62.5, within(0.5));
      assertThat(stretches.getFirst().toUsers()).isEqualTo(100);
      assertThat(stretches.getFirst().measuredTo()).isFalse();
      assertThat(stretches.getLast().fromUsers()).isEqualTo(400);
      assertThat(stretches.getLast().measuredFrom()).isFalse();
      assertThat(stretches.getLast().toUsers()).isCloseTo(475, within(0.5));
    }
  }

  /** Users who think for 7 s ask for less, which nobody chooses who chooses servers. */
  @ParameterizedTest
  @ValueSource(strings = {"load.closed.think", "load.mix", "load"})
  void whatUsersAskForIsNotChosen(String varied) {
    List<MeshTrial> trials = new ArrayList<>();
    for (int users : List.of(100, 200)) {
      for (int servers = 1; servers <= 2; servers++) {
        for (int repeat = 0; repeat < 3; repeat++) {
          long good = 8L * users * servers + repeat;
          trials.add(EconomyTrials.trial(under(varied, "7s", servers), users, repeat, good / 7));
          trials.add(EconomyTrials.trial(under(varied, "1s", servers), users, repeat, good));
        }
      }
    }

    List<LoadChoice> choices = Plan.of(mesh(trials), prices(0)).choices();

    assertThat(choices).hasSize(4);
    for (int i = 0; i < choices.size(); i++) {
      assertThat(choices.get(i).users()).isEqualTo(i < 2 ? 100 : 200);
      assertThat(choices.get(i).best().configuration().variations())
          .isEqualTo(Map.of(varied, i % 2 == 0 ? "1s" : "7s"));
      assertThat(choices.get(i).rivals()).hasSize(1);
      assertThat(choices.get(i).unmeasured()).isZero();
    }
    Prices day =
        new Prices(
            "EUR", Map.of("normal", 1.0), Map.of(), TERMS, List.of(new Prices.DayLoad(0, 100)), 0);
    assertThatThrownBy(() -> Plan.of(mesh(trials), day))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not say which of the loads")
        .hasMessageContaining(varied + "=1s");
  }

  private static Configuration under(String varied, String value, int servers) {
    return new Configuration(
        "1/" + servers + "/0/1", "postgresql", Map.of(), Map.of(varied, value));
  }

  @Test
  void sensitivityIsWhereAnotherTakesOver() {
    // Two servers earn 72 more by requests, and cost 10 more.
    Plan plan =
        plan(
            prices(0),
            EconomyTrials.trial(SMALL, 100, 0, 600, 0, 0),
            EconomyTrials.trial(TWO, 100, 0, 800, 0, 0));
    Sensitivity revenue =
        plan.sensitivities().get(new Workload(100, Map.of())).stream()
            .filter(each -> each.parameter().equals("revenue"))
            .findFirst()
            .orElseThrow();

    LoadChoice choice = plan.choices().getFirst();
    assertThat(choice.best().configuration()).isEqualTo(TWO);
    double gained = 3_600 * 0.01 * 2;
    double lead = choice.rivals().getFirst().behindPerHour();
    assertThat(revenue.lowFactor()).isCloseTo(1 - lead / gained, within(1e-9));
    assertThat(revenue.below()).isEqualTo(SMALL);
    assertThat(revenue.above()).isNull();
  }

  /** The trial of a configuration with two classes of requests, all of them in time or none. */
  private static MeshTrial twoClasses(Configuration configuration, long stories, long late) {
    LatencyHistogram inTime = LatencyHistogram.of(new double[] {100_000}, new long[] {stories, 0});
    LatencyHistogram slow = LatencyHistogram.of(new double[] {100_000}, new long[] {0, late});
    return new MeshTrial(
        configuration.label(),
        MeshTrial.Status.DONE,
        configuration,
        100,
        0,
        100,
        List.of(
            new ClassOutcome("story", stories, 0, inTime),
            new ClassOutcome("search", late, 0, slow)),
        (stories + late) / 100.0,
        List.of(),
        "trials/x");
  }

  /** At each factor that is told the two earn alike once all is priced anew, of one price alone. */
  @Test
  void eachPriceMovesAloneToWhereAnotherTakesOver() {
    Terms story = new Terms(100, 0.01, 0.02);
    Terms rest = new Terms(100, 0.005, 0.004);
    Prices prices =
        new Prices("EUR", Map.of("normal", 10.0), Map.of("story", story), rest, List.of(), 0);
    Mesh mesh = mesh(List.of(twoClasses(SMALL, 600, 100), twoClasses(TWO, 900, 200)));

    List<Sensitivity> sensitivities =
        Plan.of(mesh, prices).sensitivities().get(new Workload(100, Map.of()));

    assertThat(sensitivities)
        .extracting(Sensitivity::parameter)
        .containsExactly(
            "server-hour normal",
            "revenue",
            "penalty",
            "revenue story",
            "penalty story",
            "revenue others",
            "penalty others");
    double factor = sensitivities.get(3).lowFactor();
    // 3 stories a second earn 108 more; a server and a late search a second cost 10 and 14.4 more.
    assertThat(factor).isCloseTo(24.4 / 108, within(1e-9));
    assertThat(alikeAt(mesh, prices.withTermsOf("story", terms -> terms.revenueTimes(factor))))
        .isTrue();
    double other = sensitivities.get(6).highFactor();
    assertThat(other).isCloseTo(98 / 14.4, within(1e-9));
    assertThat(alikeAt(mesh, prices.withTermsOf("others", terms -> terms.penaltyTimes(other))))
        .isTrue();
    assertThat(sensitivities.get(4).below()).as("no story is late").isNull();
  }

  private static boolean alikeAt(Mesh mesh, Prices prices) {
    return Plan.of(mesh, prices).choices().getFirst().rivals().getFirst().behindPerHour() < 1e-9;
  }

  @Test
  void aDayIsPlannedAsWellAsByTryingAll() {
    SplittableRandom random = new SplittableRandom(6);
    for (int round = 0; round < 20; round++) {
      List<MeshTrial> trials = new ArrayList<>();
      for (Configuration each : List.of(SMALL, SMALL.withServers("app", 2), LARGE)) {
        for (int users : List.of(100, 200)) {
          trials.add(EconomyTrials.trial(each, users, 0, 200 + random.nextInt(800), 10, 0));
        }
      }
      List<Prices.DayLoad> day =
          List.of(
              new Prices.DayLoad(0, 100),
              new Prices.DayLoad(480, 200),
              new Prices.DayLoad(1_000, 150),
              new Prices.DayLoad(1_200, 0));
      Prices prices =
          new Prices(
              "EUR",
              Map.of("normal", 10.0, "L", 5.0),
              Map.of(),
              TERMS,
              day,
              200 * random.nextDouble());

      DayPlan plan = Plan.of(mesh(trials), prices).day();

      assertThat(plan).isNotNull();
      assertThat(plan.profitPerDay()).isGreaterThanOrEqualTo(plan.fixedProfitPerDay() - 1e-9);
      double sum = 0;
      for (DayPlan.Step step : plan.steps()) {
        sum += step.profitPerHour() * step.minutes() / 60 - prices.serverStart() * step.started();
      }
      assertThat(plan.profitPerDay()).isCloseTo(sum, within(1e-6));
      assertThat(plan.steps().stream().mapToInt(DayPlan.Step::minutes).sum()).isEqualTo(1_440);
    }
  }

  @Test
  void aDayBeyondWhatWasMeasuredIsRefused() {
    Prices prices =
        new Prices(
            "EUR", Map.of("normal", 1.0), Map.of(), TERMS, List.of(new Prices.DayLoad(0, 500)), 0);
    assertThatThrownBy(() -> plan(prices, EconomyTrials.trial(SMALL, 100, 0, 1, 0, 0)))
        .hasMessageContaining("500 users")
        .hasMessageContaining("100");
  }

  private static Plan plan(Prices prices, MeshTrial... trials) {
    return Plan.of(mesh(List.of(trials)), prices);
  }

  private static Prices prices(double start) {
    return new Prices("EUR", Map.of("normal", 10.0, "L", 5.0), Map.of(), TERMS, List.of(), start);
  }

  /** A trial of the small configuration that earns an amount an hour. */
  private static MeshTrial at(int users, double profit) {
    long good = Math.round((profit + 30) / 3_600 / 0.01 * 100);
    return good >= 0
        ? EconomyTrials.trial(SMALL, users, 0, good, 0, 0)
        : EconomyTrials.trial(
            SMALL, users, 0, 0, Math.round((-profit - 30) / 3_600 / 0.02 * 100), 0);
  }

  private static Mesh mesh(List<MeshTrial> trials) {
    return new Mesh("small", Map.of(), trials);
  }
}
