package org.terrace.scaling.economy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;

/** Judges plans of trials that are told: statements that are true, that are false, and neither. */
class PlanJudgeTest {
  private static final Configuration SMALL =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());
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
    return Plan.of(new Mesh("made-up", Map.of(), trials).cells(), prices);
  }

  @Test
  void profitPeaksBeforeRevenueWherePenaltiesGrowFaster() {
    Plan early = add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 12, 8).plan(1);

    assertThat(PlanJudge.profitPeaksBeforeRevenue(early).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(PlanJudge.profitPeaksBeforeRevenue(early).measured())
        .contains("95 % interval")
        .contains("n = 3")
        .contains("revenue highest at 200 users");
  }

  @Test
  void profitPeaksWithRevenue() {
    Plan together = add(SMALL, 100, 3, 10, 0).add(SMALL, 200, 3, 20, 0).plan(1);

    assertThat(PlanJudge.profitPeaksBeforeRevenue(together).verdict()).isEqualTo(Verdict.FAILS);
  }

  @Test
  void withoutRepeatsOrADifferenceNothingIsTold() {
    Plan once = add(SMALL, 100, 1, 10, 0).add(SMALL, 200, 1, 12, 8).plan(1);
    assertThat(PlanJudge.profitPeaksBeforeRevenue(once).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    trials.clear();

    Plan alike = add(SMALL, 100, 3, 10.01, 0).add(SMALL, 200, 3, 10.02, 0.02).plan(1);
    assertThat(PlanJudge.profitPeaksBeforeRevenue(alike).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void theBestDependsOnTheLoad() {
    Plan changes =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10, 10)
            .add(LARGE, 200, 3, 20, 0)
            .plan(1);

    assertThat(PlanJudge.bestDependsOnLoad(changes).verdict()).isEqualTo(Verdict.HOLDS);
    trials.clear();
    Plan never =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 20, 0)
            .add(LARGE, 200, 3, 20, 0)
            .plan(1);
    assertThat(PlanJudge.bestDependsOnLoad(never).verdict()).isEqualTo(Verdict.FAILS);
    trials.clear();
    Plan once =
        add(SMALL, 100, 1, 10, 0)
            .add(LARGE, 100, 1, 10, 0)
            .add(SMALL, 200, 1, 10, 10)
            .add(LARGE, 200, 1, 20, 0)
            .plan(1);
    assertThat(PlanJudge.bestDependsOnLoad(once).verdict()).isEqualTo(Verdict.CANNOT_TELL);
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
    assertThat(PlanJudge.bestDependsOnModel(alike).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(PlanJudge.bestDependsOnModel(alike).measured())
        .contains("that cannot be told from the best now");
    trials.clear();

    Plan once =
        add(SMALL, 100, 1, 10, 0)
            .add(LARGE, 100, 1, 11, 0)
            .add(SMALL, 200, 1, 10, 0)
            .add(LARGE, 200, 1, 11, 0)
            .plan(1.5);
    assertThat(PlanJudge.bestDependsOnModel(once).verdict()).isEqualTo(Verdict.CANNOT_TELL);
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
    assertThat(PlanJudge.bestDependsOnModel(tight).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(PlanJudge.bestDependsOnModel(tight).measured()).contains("server-hour normal");
    trials.clear();

    Plan wide =
        add(SMALL, 100, 3, 10, 0)
            .add(LARGE, 100, 3, 10, 0)
            .add(SMALL, 200, 3, 10, 0)
            .add(LARGE, 200, 3, 10, 0)
            .plan(100);
    assertThat(PlanJudge.bestDependsOnModel(wide).verdict()).isEqualTo(Verdict.FAILS);
    trials.clear();
    Plan oneLoad = add(SMALL, 100, 3, 10, 0).add(LARGE, 100, 3, 11, 0).plan(1.5);
    assertThat(PlanJudge.bestDependsOnModel(oneLoad).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }
}
