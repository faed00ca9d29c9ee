package org.terrace.studies.magical;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.PublishedStudy;
import org.terrace.studies.design.Study;
import org.terrace.studies.services.FaultedCall;

/**
 * Judges series that are made to contradict a claim, call by call. The one claim that no series can
 * contradict is that of the 99th percentile's z-score, whose bound says so.
 */
class PlantedSeriesTest {
  private static final int CALLS = 1_000;

  private static final Study STUDY = PublishedStudy.named("magical-one-percent");

  /** Latencies in milliseconds. */
  private interface Series {
    /** The latency of a call of a configuration. */
    double millis(MagicalConfiguration configuration, int call);
  }

  private static Measurement measured(Series series, MagicalConfiguration configuration) {
    return MadeUp.measurement(
        configuration, CALLS, call -> series.millis(configuration, call), call -> true);
  }

  /** The same series of all applications, at rates by configuration. */
  private static Results results(Series series, ToDoubleFunction<MagicalConfiguration> rate) {
    List<Measurement> measured =
        MadeUp.DOZEN.stream()
            .map(each -> MadeUp.withRate(measured(series, each), rate.applyAsDouble(each)))
            .toList();
    List<ApplicationResult> all = new ArrayList<>();
    for (Subject subject : Subject.values()) {
      all.add(MadeUp.application(subject, measured));
    }
    return new Results(all);
  }

  private static Results results(Series series) {
    return results(series, each -> 100);
  }

  private static Results withRecovery(Series series, long delayMillis, FaultedCall call) {
    List<Long> delays = List.of(delayMillis * MadeUp.MILLI);
    Recovery recovery = new Recovery(1, List.of(1L), delays, List.of(call), 0);
    UnaryOperator<ApplicationResult> crash = each -> MadeUp.withRecovery(each, recovery);
    return new Results(results(series).main().stream().map(crash).toList());
  }

  private static void assertContradicted(Results results, String... ids) {
    assertVerdict(Verdict.NOT_REPRODUCED, results, ids);
  }

  private static void assertVerdict(Verdict expected, Results results, String... ids) {
    List<Claim> claims = MagicalClaims.judge(STUDY, results);
    for (String id : ids) {
      assertThat(claims)
          .filteredOn(claim -> claim.id().equals(id))
          .as(id)
          .singleElement()
          .satisfies(claim -> assertThat(claim.verdict()).as(claim.measured()).isEqualTo(expected));
    }
  }

  /** From 1 to 11 ms, all equally often and without an order. */
  private static double noise(int call) {
    return 1 + call * 379L % CALLS / 100.0;
  }

  private static int index(MagicalConfiguration configuration) {
    return MadeUp.DOZEN.indexOf(configuration);
  }

  /** The more outliers, the larger the largest. */
  private static double risingTogether(MagicalConfiguration configuration, int call) {
    int index = index(configuration);
    if (call == 500) {
      return 30 + 10 * index;
    }
    return call % 50 == 7 && call / 50 < index ? 30 : noise(call);
  }

  @Test
  void oneCallInTwentyIsNotAboutOnePercent() {
    assertContradicted(
        results((each, call) -> call % 20 == 0 ? 10 : 1), "outliers-about-one-percent");
  }

  @Test
  void aThousandfoldLatencyOfThreeInAHundredIsBeyondTwentyMeans() {
    assertContradicted(
        results((each, call) -> call % 33 == 0 ? 1_000 : 1), "p99-within-twenty-means");
  }

  @Test
  void aPercentileThatFallsWhileTheMeanRisesDoesNotFollowIt() {
    assertContradicted(
        results((each, call) ->
            call % 40 == 0 ? 100.0 / each.clients() : each.clients() + noise(call) / 1_000),
        "p99-follows-mean");
  }

  @Test
  void aSingleSpikeIsAnOutlierBeyondTwentyAndUnpredictable() {
    assertContradicted(
        results((each, call) -> call == 500 ? 100_000 : each.clients() + noise(call) / 1_000),
        "most-outliers-below-twenty",
        "one-application-predictable");
  }

  @Test
  void outliersThatAreMoreAndLargerTogetherContradictThatFewerAreLarger() {
    assertContradicted(
        results(PlantedSeriesTest::risingTogether, each -> index(each) + 1),
        "fewer-outliers-are-larger",
        "outlier-size-not-with-rate",
        "outlier-share-with-rate-differs");
  }

  @Test
  void outliersOfTheFirstTenthFarFromEachOtherAreNeitherAllAlongNorInBursts() {
    assertContradicted(
        results((each, call) -> call < 100 && call % 10 == 0 ? 100 : noise(call)),
        "outliers-all-along-in-bursts");
  }

  @Test
  void outliersByTheSizeOfRepliesOrTheNumberOfClientsContradictThatThereIsNoRelation() {
    assertContradicted(
        results((each, call) ->
            call % 40 == 7 && call / 40 <= each.replyBytes() / 64 ? 60 : noise(call)),
        "not-with-reply-size");
    assertContradicted(
        results((each, call) -> call % 40 == 7 && call / 40 < each.clients() ? 60 : noise(call)),
        "not-with-clients");
  }

  @Test
  void aSingleClientWithTheLargestOutliersIsNotSmaller() {
    assertContradicted(
        results((each, call) -> call == 500 ? (each.clients() == 1 ? 1_000 : 30) : noise(call)),
        "single-client-smaller");
  }

  @Test
  void equalRatesAreNoOrderOfMagnitude() {
    assertContradicted(results((each, call) -> noise(call)), "rate-of-park-n-park");
  }

  @Test
  void aMeanThatFallsWithClientsDoesNotGrow() {
    assertContradicted(
        results((each, call) -> noise(call) + 100.0 / each.clients()), "mean-grows-with-clients");
  }

  @Test
  void outliersOfTheServerAloneAreNotOfBothPartsNorOfTheMiddleware() {
    assertContradicted(
        results((each, call) -> call % 50 == 0 ? 100 : 1),
        "outliers-from-both-parts",
        "most-frequent-part-differs",
        "park-n-park-from-middleware");
  }

  @Test
  void aSlowAndLateRecoveryContradictsAllThatIsSaidOfIt() {
    Series calm = (each, call) -> noise(call);
    FaultedCall detected = new FaultedCall(1, 100, 60, 10, 10, 5, 5, 10);
    FaultedCall waited = new FaultedCall(1, 100, 10, 10, 60, 5, 5, 10);

    Results slow = withRecovery(calm, 1_000, waited);
    assertContradicted(
        slow, "detection-largest", "recovery-like-fault-free-maxima", "fault-free-beyond-recovery");
    Results like = withRecovery(calm, 9, detected);
    assertVerdict(
        Verdict.REPRODUCED,
        like,
        "detection-largest",
        "recovery-like-fault-free-maxima",
        "fault-free-beyond-recovery");
  }
}
