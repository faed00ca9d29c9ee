package org.terrace.studies.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.ledger.Claim;
import org.terrace.analysis.ledger.Claim.Verdict;
import org.terrace.studies.Studies;
import org.terrace.studies.design.Study;
import org.terrace.studies.failover.MadeUpSteps.Parts;

/**
 * Judges steps whose every call is made up: first a run that agrees with every claim, then the same
 * run with the one thing changed that a claim is about.
 */
class FailOverClaimsTest {
  private static final Optional<String> CUTS_WORK = Optional.empty();

  private static Study study;

  @BeforeAll
  static void readTheStudy() throws IOException {
    Path root = Path.of(System.getProperty("terrace.root", "../.."));
    Path file = root.resolve("studies/fail-over.yaml");
    study = Studies.read(file.toString(), Files.readString(file));
  }

  private static Map<String, Verdict> verdicts(
      Map<String, StepResult> steps, Optional<String> obstacle, boolean invariantsHold) {
    Map<String, Verdict> verdicts = new TreeMap<>();
    for (Claim claim :
        new FailOverClaims(study, List.copyOf(steps.values()), obstacle).judge(invariantsHold)) {
      assertThat(verdicts.put(claim.id(), claim.verdict())).as(claim.id()).isNull();
    }
    return verdicts;
  }

  private static Verdict verdict(String id, Map<String, StepResult> steps) {
    return verdicts(steps, CUTS_WORK, true).get(id);
  }

  /** The verdict when one step of the run that agrees is another. */
  private static Verdict verdictWith(String id, String step, StepResult other) {
    Map<String, StepResult> steps = MadeUpSteps.agreeing();
    steps.put(step, other);
    return verdict(id, steps);
  }

  @Test
  void everyClaimIsJudgedAndARunThatAgreesReproducesAll() {
    Map<String, Verdict> verdicts = verdicts(MadeUpSteps.agreeing(), CUTS_WORK, true);

    assertThat(verdicts.keySet()).containsExactlyInAnyOrderElementsOf(FailOverClaims.IDS);
    assertThat(verdicts.values()).containsOnly(Verdict.REPRODUCED);
  }

  @Test
  void aRunWithoutFaultsDecidesNothing() {
    Map<String, StepResult> steps = MadeUpSteps.agreeing();
    steps.replaceAll((name, step) -> MadeUpSteps.withoutFaults(name));

    Map<String, Verdict> verdicts = verdicts(steps, CUTS_WORK, true);
    assertThat(verdicts.remove("terrace-nothing-lost")).isEqualTo(Verdict.REPRODUCED);
    assertThat(verdicts.values()).containsOnly(Verdict.CANNOT_TELL);
  }

  @Test
  void aRunWithoutCallsDecidesNothing() {
    Map<String, StepResult> steps = MadeUpSteps.agreeing();
    steps.replaceAll((name, step) -> MadeUpSteps.withoutCalls(name));

    Map<String, Verdict> verdicts = verdicts(steps, CUTS_WORK, true);
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

  @Test
  void aCrashIsJudgedByItsMedianAndByItsLargestDelay() {
    Parts parts = Parts.fast();

    assertThat(
            verdictWith(
                "terrace-crash",
                "improvements-6",
                MadeUpSteps.step("improvements-6", parts, 4, 4, 59)))
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(
            verdictWith(
                "terrace-crash",
                "improvements-6",
                MadeUpSteps.step("improvements-6", parts, 4, 4, 61)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(
            verdictWith(
                "terrace-crash",
                "improvements-6",
                MadeUpSteps.step("improvements-6", parts, 4, 6, 6)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void aHangIsJudgedByItsMedian() {
    assertThat(
            verdictWith(
                "terrace-hang", "hang", MadeUpSteps.step("hang", Parts.fast(), 19, 19, 500)))
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(
            verdictWith("terrace-hang", "hang", MadeUpSteps.step("hang", Parts.fast(), 19, 21, 21)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void aCutThatCouldNotBeMadeOrWasNotRepairedIsNotKept() {
    StepResult slow = MadeUpSteps.step("cut", Parts.fast(), 21, 21, 21);
    StepResult unrepaired = MadeUpSteps.unrepaired(MadeUpSteps.step("cut", Parts.fast(), 9, 9, 9));

    assertThat(verdictWith("terrace-cut", "cut", slow)).isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith("terrace-cut", "cut", unrepaired)).isEqualTo(Verdict.NOT_REPRODUCED);
    Map<String, StepResult> noCut = MadeUpSteps.agreeing();
    noCut.remove("cut");
    assertThat(verdicts(noCut, Optional.of("no namespace"), true).get("terrace-cut"))
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void aCallAtAKillThatIsSlowerThanAllOthersIsAnOutlierOfTheActiveStyle() {
    StepResult step = MadeUpSteps.step("active", Parts.fast(), 1, 1, 3);

    assertThat(verdictWith("terrace-active", "active", step)).isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void redundancyThatComesLateOrNeverIsNotKept() {
    StepResult step = MadeUpSteps.step("improvements-6", Parts.fast(), 4, 4, 4);

    assertThat(verdictWith("terrace-redundancy", "improvements-6", MadeUpSteps.restored(step, 999)))
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(
            verdictWith("terrace-redundancy", "improvements-6", MadeUpSteps.restored(step, 1_001)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith("terrace-redundancy", "improvements-6", MadeUpSteps.unrepaired(step)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdictWith("terrace-redundancy", "improvements-6", MadeUpSteps.neverRepaired(step)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void oneCallWithoutAReplyOrABrokenInvariantIsALoss() {
    StepResult step = MadeUpSteps.unanswered(MadeUpSteps.step("spare", Parts.fast(), 4, 4), 1);

    assertThat(verdictWith("terrace-nothing-lost", "spare", step))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(verdicts(MadeUpSteps.agreeing(), CUTS_WORK, false).get("terrace-nothing-lost"))
        .isEqualTo(Verdict.NOT_REPRODUCED);
  }
}
