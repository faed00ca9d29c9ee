package org.terrace.studies.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.studies.failover.MadeUpSteps.times;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.PublishedStudy;
import org.terrace.studies.design.Study;
import org.terrace.studies.failover.MadeUpSteps.Parts;
import org.terrace.studies.services.EffectsOfRun;

/**
 * Judges steps whose every call is made up: first a run that agrees with every claim, then the same
 * run with the one thing changed that a claim is about.
 */
class FailOverClaimsTest {
  private static final Optional<String> CUTS_WORK = Optional.empty();

  private static final Study STUDY = PublishedStudy.named("fail-over");

  private static Map<String, Verdict> verdicts(
      Map<String, StepResult> steps, Optional<String> obstacle) {
    Map<String, Verdict> verdicts = new TreeMap<>();
    for (Claim claim : new FailOverClaims(STUDY, List.copyOf(steps.values()), obstacle).judge()) {
      assertThat(verdicts.put(claim.id(), claim.verdict())).as(claim.id()).isNull();
    }
    return verdicts;
  }

  private static Verdict verdict(String id, Map<String, StepResult> steps) {
    return verdicts(steps, CUTS_WORK).get(id);
  }

  /** The verdict when one step of the run that agrees is another. */
  private static Verdict verdictWith(String id, String step, StepResult other) {
    Map<String, StepResult> steps = MadeUpSteps.agreeing();
    steps.put(step, other);
    return verdict(id, steps);
  }

  @Test
  void everyClaimIsJudgedAndARunThatAgreesReproducesAll() {
    Map<String, Verdict> verdicts = verdicts(MadeUpSteps.agreeing(), CUTS_WORK);

    assertThat(verdicts.keySet()).containsExactlyInAnyOrderElementsOf(FailOverClaims.IDS);
    assertThat(verdicts.values()).containsOnly(Verdict.REPRODUCED);
  }

  @Test
  void aRunWithoutFaultsDecidesNothing() {
    Map<String, StepResult> steps = MadeUpSteps.agreeing();
    steps.replaceAll((name, step) -> MadeUpSteps.withoutFaults(name));

    Map<String, Verdict> verdicts = verdicts(steps, CUTS_WORK);
    assertThat(verdicts.remove("terrace-nothing-lost")).isEqualTo(Verdict.REPRODUCED);
    assertThat(verdicts.values()).containsOnly(Verdict.CANNOT_TELL);
  }

  @Test
  void aRunWithoutCallsDecidesNothing() {
    Map<String, StepResult> steps = MadeUpSteps.agreeing();
    steps.replaceAll((name, step) -> MadeUpSteps.withoutCalls(name));

    Map<String, Verdict> verdicts = verdicts(steps, CUTS_WORK);
    // Redundancy is the replicas' own: it came back or did not, whoever called.
    assertThat(verdicts.remove("terrace-redundancy")).isEqualTo(Verdict.REPRODUCED);
    assertThat(verdicts.values()).containsOnly(Verdict.CANNOT_TELL);
  }

  @Test
  void aCallThatTheNextFaultMeetsDoesNotCountForTheOneBefore() {
    StepResult step = MadeUpSteps.step("improvements-6", Parts.fast(), 4, 59, 5);

    assertThat(step.delays()).containsExactly(4_000_000, 5_000_000, 59_000_000);
  }

  @Test
  void oneKillThatDelaysNobodyIsNoSpike() {
    StepResult step = MadeUpSteps.step("improvements-0", Parts.published(), 5_100, 5_200, 8, 5_100);

    assertThat(verdictWith("spikes-at-kills", "improvements-0", step))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void waitingThatIsNotTheLargestPartDoesNotDominate() {
    StepResult step =
        MadeUpSteps.step("improvements-0", new Parts(0, 0, 0.3, 0, 0.6, 0.01), 5_100, 5_200);

    assertThat(verdictWith("waiting-dominates", "improvements-0", step))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void restorationBehindNamingIsNotSecond() {
    StepResult step =
        MadeUpSteps.step("improvements-0", new Parts(0, 0.1, 0.8, 0, 0.05, 0.01), 5_100, 5_200);

    assertThat(verdictWith("restoration-second", "improvements-0", step))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void sixInAHundredOfTheTimeIsNotSmall() {
    StepResult slowService =
        MadeUpSteps.step("improvements-0", new Parts(0, 0, 0.8, 0, 0.13, 0.06), 5_100);
    StepResult slowRest =
        MadeUpSteps.step("improvements-0", new Parts(0, 0, 0.8, 0, 0.13, 0.01), 5_100);

    assertThat(verdictWith("service-time-small", "improvements-0", slowService))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith("other-operations-small", "improvements-0", slowRest))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith("service-time-small", "improvements-0", slowRest))
        .isEqualTo(Verdict.REPRODUCED);
  }

  @Test
  void aClientThatWaitsTwiceNeedsMoreThanOneDelay() {
    StepResult step = MadeUpSteps.step("improvements-0", Parts.published(), 5_500, 5_500, 11_000);

    assertThat(verdictWith("one-delay-suffices", "improvements-0", step))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void improvementsAreOrderedOnlyIfNoneTakesOffMoreThanTheOneBefore() {
    Map<String, StepResult> firstMost = MadeUpSteps.withDelays(6_000, 1_000, 900, 400, 390, 385, 4);
    Map<String, StepResult> lastMost =
        MadeUpSteps.withDelays(6_000, 5_500, 5_400, 5_390, 5_380, 5_370, 4);
    Map<String, StepResult> withinNoise = MadeUpSteps.withDelays(6_000, 1_000, 500, 100, 4, 4, 3.5);

    assertThat(verdict("order-of-improvements", firstMost)).isEqualTo(Verdict.PARTLY);
    assertThat(verdict("order-of-improvements", lastMost)).isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdict("order-of-improvements", withinNoise)).isEqualTo(Verdict.REPRODUCED);
  }

  private static StepResult step(String name, double... delays) {
    return MadeUpSteps.step(name, Parts.fast(), delays);
  }

  @Test
  void aCrashIsJudgedByItsMedianAndByItsLargestDelayOfReadsAndOfUpdates() {
    for (String name : List.of("improvements-6", "updates")) {
      assertThat(verdictWith("terrace-crash", name, step(name, times(12, 4, 59))))
          .isEqualTo(Verdict.REPRODUCED);
      assertThat(verdictWith("terrace-crash", name, step(name, times(12, 4, 61))))
          .as("one of %s that took too long", name)
          .isEqualTo(Verdict.NOT_REPRODUCED);
      assertThat(verdictWith("terrace-crash", name, step(name, times(6, 6, 4))))
          .as("the median of %s", name)
          .isEqualTo(Verdict.CANNOT_TELL);
      assertThat(verdictWith("terrace-crash", name, step(name, times(12, 6, 4))))
          .as("the median of %s with enough of them", name)
          .isEqualTo(Verdict.NOT_REPRODUCED);
    }
  }

  @Test
  void aMedianOfFewerThanSixDelaysHasNoInterval() {
    assertThat(verdictWith("terrace-hang", "hang", step("hang", times(5, 9))))
        .isEqualTo(Verdict.CANNOT_TELL);
    String measured =
        new FailOverClaims(STUDY, List.copyOf(MadeUpSteps.agreeing().values()), CUTS_WORK)
            .judge().stream()
                .filter(claim -> claim.id().equals("terrace-hang"))
                .map(Claim::measured)
                .findFirst()
                .orElseThrow();
    assertThat(measured).contains("9.00 ms (95 % interval 9.00 ms to 9.00 ms, n = 6)");
  }

  @Test
  void aHangIsJudgedByItsMedianOfReadsAndOfUpdates() {
    for (String name : List.of("hang", "updates-hang")) {
      assertThat(verdictWith("terrace-hang", name, step(name, times(12, 19, 500))))
          .isEqualTo(Verdict.REPRODUCED);
      assertThat(verdictWith("terrace-hang", name, step(name, times(12, 21, 19))))
          .isEqualTo(Verdict.NOT_REPRODUCED);
    }
  }

  @Test
  void aCutThatCouldNotBeMadeOrWasNotRepairedIsNotKept() {
    for (String name : List.of("cut", "updates-cut")) {
      StepResult slow = step(name, times(6, 21));
      StepResult unrepaired = MadeUpSteps.unrepaired(step(name, times(6, 9)));

      assertThat(verdictWith("terrace-cut", name, slow)).isEqualTo(Verdict.NOT_REPRODUCED);
      assertThat(verdictWith("terrace-cut", name, unrepaired)).isEqualTo(Verdict.NOT_REPRODUCED);
    }
    Map<String, StepResult> noCut = MadeUpSteps.agreeing();
    noCut.remove("cut");
    noCut.remove("updates-cut");
    assertThat(verdicts(noCut, Optional.of("no namespace")).get("terrace-cut"))
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void deathsStandOutWhereMoreOfThemThanByChanceHaveALongerCallThanUsual() {
    String id = "terrace-active";
    StepResult four = step("active", times(16, 1, times(4, 3)));

    assertThat(verdictWith(id, "active", step("active", times(19, 1, 500))))
        .as("one of twenty is chance")
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(verdictWith(id, "active", step("active", times(18, 1, 3, 3))))
        .as("of twenty deaths two may be chance or not")
        .isEqualTo(Verdict.CANNOT_TELL);
    assertThat(verdictWith(id, "active", four)).isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith(id, "active", MadeUpSteps.withSlowOthers(four, 3)))
        .as("what calls far from a death take as well is no outlier")
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(verdictWith(id, "active", step("active", times(6, 1))))
        .as("six deaths are too few")
        .isEqualTo(Verdict.CANNOT_TELL);
    assertThat(verdictWith(id, "active", MadeUpSteps.neverRepaired(step("active", times(20, 1)))))
        .as("without a repair nothing is usual but what was before the first death")
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(new DeathOutliers(200, 30, 100, 1).verdict())
        .as("rare outliers, though more than by chance")
        .isEqualTo(Verdict.PARTLY);
    assertThat(new DeathOutliers(20, 0, 19, 0).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void redundancyThatComesLateOrNeverIsNotKept() {
    StepResult step = step("updates", times(6, 4));
    String id = "terrace-redundancy";

    assertThat(verdictWith(id, "updates", MadeUpSteps.restored(step, 999)))
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(verdictWith(id, "updates", MadeUpSteps.restored(step, 1_001)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith(id, "updates", MadeUpSteps.unrepaired(step)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith(id, "updates", MadeUpSteps.neverRepaired(step)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith(id, "updates", step("updates", times(5, 4))))
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void oneCallWithoutAReplyAMissingOrADoubledEffectOrABrokenInvariantIsALoss() {
    String id = "terrace-nothing-lost";
    StepResult step = step("spare", times(6, 4));

    assertThat(verdictWith(id, "spare", MadeUpSteps.unanswered(step, 1)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith(id, "spare", effects(step, 1, 0, true)))
        .as("an acknowledged update without an effect")
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith(id, "spare", effects(step, 0, 1, true)))
        .as("an effect that happened twice")
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith(id, "spare", effects(step, 0, 0, false)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    Map<String, StepResult> onlyReads = MadeUpSteps.agreeing();
    onlyReads.replaceAll(
        (name, each) -> MadeUpSteps.withEffects(each, new EffectsOfRun(0, 0, 0, 0, true)));
    assertThat(verdict(id, onlyReads))
        .as("reads lose nothing, which tells nothing")
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  private static StepResult effects(
      StepResult step, long missing, long tooMany, boolean invariantsHold) {
    return MadeUpSteps.withEffects(
        step, new EffectsOfRun(100, 0, missing, tooMany, invariantsHold));
  }
}
