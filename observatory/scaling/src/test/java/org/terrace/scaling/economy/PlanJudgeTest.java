package org.terrace.scaling.economy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;

/** Judges plans of trials that are told: statements that are true, that are false, and neither. */
class PlanJudgeTest {
  private static final Configuration SMALL =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());
  private static final Configuration TWO = SMALL.withServers("app", 2);
  private static final Configuration LARGE = SMALL.withServers("app", 3);

  private final List<MeshTrial> trials = new ArrayList<>();

  /** Adds trials with so many requests a second in time and so many late. */
  private PlanJudgeTest add(
      Configuration configuration, int users, int repeats, double good, double late) {
    for (int repeat = 0; repeat < repeats; repeat++) {
      long inTime = Math.round(100 * good) + repeat;
      long slow = Math.round(100 * late);
      LatencyHistogram latency =
          LatencyHistogram.of(new double[] {100_000, 10_000_000}, new long[] {inTime, 0, slow});
      trials.add(
          new MeshTrial(
              configuration.label() + users + "-" + repeat,
              MeshTrial.Status.DONE,
              configuration,
              users,
              repeat,
              100,
              List.of(new ClassOutcome("page", inTime + slow, 0, latency)),
              good + late,
              List.of(),
              "trials/x"));
    }
    return this;
  }

  private Plan plan(double server) {
    Terms terms = new Terms(1_000, 0.001, 0.001);
    Prices prices = new Prices("EUR", Map.of("normal", server), Map.of(), terms, List.of(), 0);
    return Plan.of(new Mesh("made-up", Map.of(), trials), prices);
  }

  /** The judge of the trials that were added, at the plan's prices. */
  private PlanJudge judge(Plan plan) {
    return new PlanJudge(new Mesh("made-up", Map.of(), trials), plan.prices());
  }

  private Judgement peaks(Plan plan) {
    return judge(plan).profitPeaksBeforeRevenue();
  }

  private Judgement onLoad(Plan plan) {
    return judge(plan).bestDependsOnLoad();
  }

  private Judgement onModel(Plan plan) {
    return judge(plan).bestDependsOnModel();
  }

  @Test
  void profitPeaksBeforeRevenueWherePenaltiesGrowFaster() {
    Plan early = add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 12, 8).plan(1);

    assertThat(peaks(early).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(peaks(early).measured())
        .contains("95 % interval")
        .contains("n = 3")
        .contains("revenue highest at 200 users");
  }

  @Test
  void profitPeaksWithRevenue() {
    Plan together =
        add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 20, 0).add(SMALL, 300, 3, 15, 0).plan(1);

    assertThat(peaks(together).verdict()).isEqualTo(Verdict.FAILS);
  }

  @Test
  void aPeakThatWasNotSeenTellsNothing() {
    Plan growing = add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 20, 0).plan(1);
    assertThat(peaks(growing).verdict()).as("both grow").isEqualTo(Verdict.CANNOT_TELL);
    trials.clear();

    Plan falling = add(SMALL, 100, 3, 20, 0).add(SMALL, 200, 3, 10, 0).plan(1);
    assertThat(peaks(falling).verdict()).as("both fall").isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void revenueThatIsHigherByChanceTellsNothing() {
    Plan more = add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 10.01, 1).plan(1);
    assertThat(peaks(more).verdict()).as("higher").isEqualTo(Verdict.CANNOT_TELL);
    trials.clear();

    Plan less = add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 9.99, 1).plan(1);
    assertThat(peaks(less).verdict()).as("lower").isEqualTo(Verdict.CANNOT_TELL);
    trials.clear();

    Plan flat =
        add(SMALL, 100, 3, 8, 0).add(SMALL, 200, 3, 10, 0).add(SMALL, 300, 3, 9.99, 1).plan(1);
    assertThat(peaks(flat).verdict()).as("flat at the end").isEqualTo(Verdict.CANNOT_TELL);
  }

  /** Two pairs of loads that are alike within, and told apart from each other. */
  @Test
  void loadsInBetweenMayBeAlike() {
    Plan between =
        add(SMALL, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10.01, 0.01)
            .add(SMALL, 300, 3, 12, 8)
            .add(SMALL, 400, 3, 12.01, 8)
            .plan(1);

    assertThat(peaks(between).verdict()).isEqualTo(Verdict.HOLDS);
  }

  @Test
  void withoutRepeatsOrADifferenceNothingIsTold() {
    Plan once = add(SMALL, 100, 1, 10, 0).add(SMALL, 200, 1, 12, 8).plan(1);
    assertThat(peaks(once).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    trials.clear();

    Plan alike = add(SMALL, 100, 3, 10.01, 0).add(SMALL, 200, 3, 10.02, 0.02).plan(1);
    assertThat(peaks(alike).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void theBestDependsOnTheLoad() {
    Plan changes =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10, 10)
            .add(LARGE, 200, 3, 20, 0)
            .plan(1);

    assertThat(onLoad(changes).verdict()).isEqualTo(Verdict.HOLDS);
    trials.clear();
    Plan never =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 20, 0)
            .add(LARGE, 200, 3, 20, 0)
            .plan(1);
    assertThat(onLoad(never).verdict()).isEqualTo(Verdict.FAILS);
    trials.clear();
    Plan once =
        add(SMALL, 100, 1, 10, 0)
            .add(LARGE, 100, 1, 10, 0)
            .add(SMALL, 200, 1, 10, 10)
            .add(LARGE, 200, 1, 20, 0)
            .plan(1);
    assertThat(onLoad(once).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  private static Configuration ofLowCost(Configuration configuration) {
    return new Configuration(
        configuration.topology(), "postgresql", Map.of("database", "low-cost"), Map.of());
  }

  /** Each kind of nodes is best at one load, with servers of one number, or the same at both. */
  @Test
  void anotherKindIsNotAnotherNumberOfServers() {
    Map<String, Double> servers = Map.of("normal", 1.0, "low-cost", 0.5);
    Terms terms = new Terms(1_000, 0.001, 0.001);
    Prices prices = new Prices("EUR", servers, Map.of(), terms, List.of(), 0);
    add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 20, 0);
    add(ofLowCost(SMALL), 100, 3, 10, 0).add(ofLowCost(SMALL), 200, 3, 10, 10);
    PlanJudge one = new PlanJudge(new Mesh("made-up", Map.of(), trials), prices);

    assertThat(one.bestDependsOnLoad().verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(one.bestDependsOnModel().verdict()).isEqualTo(Verdict.CANNOT_TELL);

    add(LARGE, 100, 3, 10, 0).add(LARGE, 200, 3, 20, 0);
    add(ofLowCost(LARGE), 100, 3, 10, 0).add(ofLowCost(LARGE), 200, 3, 10, 10);
    PlanJudge same = new PlanJudge(new Mesh("made-up", Map.of(), trials), prices);

    assertThat(same.bestDependsOnLoad().verdict()).isEqualTo(Verdict.FAILS);
  }

  private static MeshTrial failed(Configuration configuration, int users) {
    return new MeshTrial(
        configuration.label() + users + "-failed",
        MeshTrial.Status.FAILED,
        configuration,
        users,
        9,
        0,
        List.of(),
        0,
        List.of(),
        "trials/x");
  }

  /** A trial of the large one that failed, beside those that are told. */
  private Plan withFailed(Plan plan, int users) {
    trials.add(failed(LARGE, users));
    return plan;
  }

  /** Each statement is told by trials of which none failed, and by them alone. */
  @Test
  void whereTrialsFailedNothingIsTold() {
    Plan changes =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10, 10)
            .add(LARGE, 200, 3, 20, 0)
            .plan(1);
    assertThat(onLoad(changes).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(onLoad(withFailed(changes, 100)).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    trials.clear();

    Plan never =
        add(SMALL, 100, 3, 10, 0)
            .add(TWO, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 20, 0)
            .add(TWO, 200, 3, 20, 0)
            .plan(1);
    assertThat(onLoad(never).verdict()).isEqualTo(Verdict.FAILS);
    assertThat(onLoad(withFailed(never, 100)).verdict())
        .as("one was lost")
        .isEqualTo(Verdict.CANNOT_TELL);
    trials.clear();

    Plan early = add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 12, 8).plan(1);
    assertThat(peaks(early).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(peaks(withFailed(early, 200)).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  /** One that was lost under every load may be the best under all of them. */
  @Test
  void whatWasLostUnderEveryLoadMayBeTheBestOfAll() {
    Plan changes =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10, 10)
            .add(LARGE, 200, 3, 20, 0)
            .plan(1);
    for (int users : List.of(100, 200)) {
      trials.add(failed(TWO, users));
    }

    assertThat(onLoad(changes).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(onModel(changes).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  /** Under 200 users the two earn alike: the large one more by chance alone. */
  @Test
  void aTieAtOneLoadTellsNothingOfTheOther() {
    Plan tie =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10, 0)
            .add(LARGE, 200, 3, 10.56, 0)
            .plan(1);

    assertThat(tie.choices().getLast().best().configuration()).isEqualTo(LARGE);
    assertThat(tie.choices().getLast().ties()).hasSize(1);
    assertThat(onLoad(tie).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void whatWasNotMeasuredIsNotBehind() {
    Plan apart = add(SMALL, 100, 3, 10, 0).add(LARGE, 200, 3, 20, 0).plan(1);

    assertThat(onLoad(apart).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  /** Requests that are slow, but in time once the thresholds are doubled. */
  private PlanJudgeTest slow(Configuration configuration, int users, double rate) {
    for (int repeat = 0; repeat < 3; repeat++) {
      long count = Math.round(100 * rate) + repeat;
      LatencyHistogram latency =
          LatencyHistogram.of(
              new double[] {100_000, 1_000_000, 2_000_000}, new long[] {0, 0, count, 0});
      trials.add(
          new MeshTrial(
              configuration.label() + users + "-" + repeat,
              MeshTrial.Status.DONE,
              configuration,
              users,
              repeat,
              100,
              List.of(new ClassOutcome("page", count, 0, latency)),
              rate,
              List.of(),
              "trials/x"));
    }
    return this;
  }

  @Test
  void aTieAfterAChangeTellsNothing() {
    Configuration other = new Configuration("1/0/1/1", "postgresql", Map.of(), Map.of());
    for (double rate : List.of(10.01, 9.99)) {
      trials.clear();
      Plan tie =
          add(SMALL, 100, 3, 10, 0)
              .slow(other, 100, rate)
              .add(SMALL, 200, 3, 10, 0)
              .slow(other, 200, rate)
              .plan(1);
      assertThat(onModel(tie).verdict()).as("%s", rate).isEqualTo(Verdict.CANNOT_TELL);
    }
    trials.clear();
    Plan more =
        add(SMALL, 100, 3, 10, 0)
            .slow(other, 100, 12)
            .add(SMALL, 200, 3, 10, 0)
            .slow(other, 200, 12)
            .plan(1);
    assertThat(onModel(more).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(onModel(more).measured()).contains("thresholds times 2.00");
  }

  /** A request more in a hundred seconds, which the repeats do not tell from chance. */
  @Test
  void aChangeBetweenWhatCannotBeToldApartTellsNothing() {
    Plan alike =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10.01, 0)
            .add(SMALL, 200, 3, 10, 0)
            .add(LARGE, 200, 3, 10.01, 0)
            .plan(0.015);
    assertThat(onModel(alike).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(onModel(alike).measured()).contains("that cannot be told from the best now");
    trials.clear();

    Plan once =
        add(SMALL, 100, 1, 10, 0)
            .add(LARGE, 100, 1, 11, 0)
            .add(SMALL, 200, 1, 10, 0)
            .add(LARGE, 200, 1, 11, 0)
            .plan(1.5);
    assertThat(onModel(once).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void theBestDependsOnPrices() {
    // The large one earns 3.6 an hour more under both loads, and its two servers more cost 2 to 4.
    Plan tight =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 11, 0)
            .add(SMALL, 200, 3, 10, 0)
            .add(LARGE, 200, 3, 11, 0)
            .plan(1.5);
    assertThat(onModel(tight).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(onModel(tight).measured()).contains("server-hour normal");
    trials.clear();

    Plan wide =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10, 0)
            .add(LARGE, 200, 3, 10, 0)
            .plan(100);
    assertThat(onModel(wide).verdict()).isEqualTo(Verdict.FAILS);
    trials.clear();
    Plan oneLoad = add(SMALL, 100, 3, 10, 0).add(LARGE, 100, 3, 11, 0).plan(1.5);
    assertThat(onModel(oneLoad).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }
}
