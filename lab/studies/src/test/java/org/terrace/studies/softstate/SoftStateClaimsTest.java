package org.terrace.studies.softstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.studies.softstate.MadeUpResults.between;
import static org.terrace.studies.softstate.MadeUpResults.data;
import static org.terrace.studies.softstate.MadeUpResults.filled;
import static org.terrace.studies.softstate.MadeUpResults.latency;
import static org.terrace.studies.softstate.MadeUpResults.reads;
import static org.terrace.studies.softstate.MadeUpResults.withCart;
import static org.terrace.studies.softstate.MadeUpResults.withCrash;
import static org.terrace.studies.softstate.MadeUpResults.withEnd;
import static org.terrace.studies.softstate.MadeUpResults.withPages;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.PublishedStudy;
import org.terrace.studies.design.Study;

/**
 * Judges results that are made up: first of a run that agrees with every claim, then the same with
 * the one thing changed that a claim is about.
 */
class SoftStateClaimsTest {
  private static final GossipRecording CALM =
      new GossipRecording(StalenessRun.REPLICAS, 1_000, 2_500, 3);

  private static final Study STUDY = PublishedStudy.named("soft-state");

  private static Map<String, Verdict> verdicts(SoftStateResults results) {
    Map<String, Verdict> verdicts = new TreeMap<>();
    for (Claim claim : SoftStateClaims.judge(STUDY, results)) {
      assertThat(verdicts.put(claim.id(), claim.verdict())).as(claim.id()).isNull();
    }
    return verdicts;
  }

  private static void assertVerdict(String id, SoftStateResults results, Verdict expected) {
    assertThat(verdicts(results).get(id)).as(id).isEqualTo(expected);
  }

  private static UnaryOperator<CartRun> cart(
      Predicate<CartRun> which, Latency calls, DataTimes data) {
    return run ->
        which.test(run) ? MadeUpResults.cart(run.store(), run.clients(), calls, data) : run;
  }

  private static boolean isTerrace(CartRun run) {
    return run.store() == Store.COLLECTIONS;
  }

  private static UnaryOperator<PetRun> pages(Predicate<PetRun> which, Latency pages) {
    return run ->
        which.test(run)
            ? MadeUpResults.pet(
                run.figure(),
                run.service(),
                run.replicas(),
                run.configuration(),
                run.servicesAPage(),
                pages)
            : run;
  }

  @Test
  void everyClaimIsJudgedAndARunThatAgreesReproducesAll() {
    Map<String, Verdict> verdicts = verdicts(MadeUpResults.agreeing());

    assertThat(verdicts.keySet()).containsExactlyInAnyOrderElementsOf(SoftStateClaims.IDS);
    assertThat(verdicts.values()).containsOnly(Verdict.REPRODUCED);
  }

  @Test
  void whatWasNotMeasuredCannotBeTold() {
    Map<String, Verdict> noCart = verdicts(MadeUpResults.withoutCart());
    for (String id : SoftStateClaims.IDS.subList(0, 6)) {
      assertThat(noCart.get(id)).as(id).isEqualTo(Verdict.CANNOT_TELL);
    }
    assertThat(noCart.get("terrace-convergence")).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(noCart.get("terrace-nothing-lost")).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(noCart.get("terrace-nothing-doubled")).isEqualTo(Verdict.CANNOT_TELL);
    Map<String, Verdict> noPages = verdicts(MadeUpResults.withoutPages());
    for (String id : SoftStateClaims.IDS.subList(13, 19)) {
      assertThat(noPages.get(id)).as(id).isEqualTo(Verdict.CANNOT_TELL);
    }
    assertVerdict("crash-expelled", withCrash(MadeUpResults.crash(0, 0, 0)), Verdict.CANNOT_TELL);
  }

  @Test
  void runsWithoutTimesOfDataDecideNothingAboutData() {
    Map<String, Verdict> verdicts =
        verdicts(
            withCart(run -> MadeUpResults.cart(run.store(), run.clients(), run.calls(), data())));

    for (String id : SoftStateClaims.IDS.subList(2, 6)) {
      assertThat(verdicts.get(id)).as(id).isEqualTo(Verdict.CANNOT_TELL);
    }
  }

  @Test
  void latencyIsBelowOnlyWhereIntervalsAreApart() {
    String id = "latency-below-baselines";

    assertVerdict(
        id,
        withCart(cart(run -> isTerrace(run) && run.clients() == 256, latency(9_000), data(50))),
        Verdict.PARTLY);
    assertVerdict(
        id,
        withCart(cart(run -> isTerrace(run), latency(9_000), data(50))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        id, withCart(cart(run -> true, latency(5, 2, 100), data(50))), Verdict.CANNOT_TELL);
    assertVerdict(
        id, withCart(cart(run -> true, latency(5, 0.001, 29), data(50))), Verdict.CANNOT_TELL);
  }

  @Test
  void aRateThatCollapsesAtEveryStepDoesNotScale() {
    String id = "scales-with-clients";
    UnaryOperator<CartRun> falling =
        run ->
            isTerrace(run)
                ? MadeUpResults.cart(
                    run.store(), run.clients(), latency(1, 0.01, 1_000 / run.clients()), run.data())
                : run;

    assertVerdict(id, withCart(falling), Verdict.NOT_REPRODUCED);
    assertVerdict(
        id,
        withCart(
            cart(run -> isTerrace(run) && run.clients() == 256, latency(1, 0.01, 50), data(50))),
        Verdict.PARTLY);
  }

  @Test
  void growthIsJudgedByItsExponent() {
    String id = "data-access-grows-until-64";

    assertVerdict(
        id,
        withCart(cart(run -> run.store() == Store.H2, latency(10), data(1_000))),
        Verdict.PARTLY);
    assertVerdict(
        id,
        withCart(cart(run -> run.store().isDatabase(), latency(10), data(1_000))),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void dataThatGrowAfter64AreNotLevel() {
    String id = "data-access-level-beyond-64";

    assertVerdict(
        id,
        withCart(
            cart(
                run -> run.store() == Store.H2 && run.clients() == 256,
                latency(2_560),
                data(97_000))),
        Verdict.PARTLY);
    assertVerdict(
        id,
        withCart(
            cart(
                run -> run.store().isDatabase() && run.clients() == 256,
                latency(900),
                data(64_000))),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void nineTimesIsNoOrderOfMagnitude() {
    String id = "manipulation-order-of-magnitude";

    assertVerdict(
        id, withCart(cart(run -> run.store() == Store.H2, latency(10), data(450))), Verdict.PARTLY);
    assertVerdict(
        id,
        withCart(cart(run -> run.store().isDatabase(), latency(10), data(450))),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void moreThanAMillisecondIsNotConstant() {
    String id = "manipulation-constant";

    assertVerdict(
        id,
        withCart(cart(run -> isTerrace(run) && run.clients() == 1, latency(1), data(1_001))),
        Verdict.PARTLY);
    assertVerdict(
        id, withCart(cart(run -> isTerrace(run), latency(1), data(1_001))), Verdict.NOT_REPRODUCED);
  }

  @Test
  void crashesAreExpelledIfAllWereNoticedAndNoCallFailed() {
    String id = "crash-expelled";

    assertVerdict(id, withCrash(MadeUpResults.crash(2, 1, 0)), Verdict.PARTLY);
    assertVerdict(id, withCrash(MadeUpResults.crash(2, 2, 1)), Verdict.PARTLY);
    assertVerdict(id, withCrash(MadeUpResults.crash(2, 1, 1)), Verdict.NOT_REPRODUCED);
  }

  @Test
  void regimesNeedStaleReadsDuringAndAfterTheOverload() {
    String id = "stale-three-regimes";

    assertVerdict(
        id,
        MadeUpResults.withVictims(reads(filled(100), between(4, 12, 5), filled(0))),
        Verdict.PARTLY);
    assertVerdict(
        id,
        MadeUpResults.withVictims(reads(filled(100), filled(5), filled(0))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        id, MadeUpResults.withVictims(reads(filled(0), filled(0), filled(0))), Verdict.CANNOT_TELL);
  }

  @Test
  void recoveryIsLateAfterTwentyFiveSeconds() {
    String id = "recovery-within-25s";

    assertVerdict(
        id,
        MadeUpResults.withVictims(reads(filled(100), between(4, 37, 5), filled(0))),
        Verdict.REPRODUCED);
    assertVerdict(
        id,
        MadeUpResults.withVictims(reads(filled(100), between(4, 38, 5), filled(0))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        id,
        MadeUpResults.withVictims(reads(filled(100), between(4, 5, 4), filled(0))),
        Verdict.CANNOT_TELL);
  }

  @Test
  void othersAreDisturbedByHalf() {
    String id = "others-undisturbed";
    long[] three = filled(100);
    Arrays.fill(three, 4, 12, 75);
    long[] little = filled(100);
    Arrays.fill(little, 4, 12, 49);

    assertVerdict(
        id, MadeUpResults.withAdaptive(reads(three, filled(0), filled(0))), Verdict.PARTLY);
    assertVerdict(
        id,
        MadeUpResults.withAdaptive(reads(little, filled(0), filled(0))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        id,
        MadeUpResults.withAdaptive(reads(filled(100), filled(0), between(5, 6, 1))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        id,
        MadeUpResults.withAdaptive(reads(filled(0), filled(0), filled(0))),
        Verdict.CANNOT_TELL);
  }

  @Test
  void theEndOfARunIsJudgedByEachOfItsCounts() {
    int all = StalenessRun.REPLICAS;
    assertVerdict("overload-survived", withEnd(all - 1, 0, 0, CALM, 1), Verdict.NOT_REPRODUCED);
    assertVerdict("overload-survived", MadeUpResults.withoutDrops(), Verdict.CANNOT_TELL);
    assertVerdict("replicas-converge", withEnd(all, 1, 0, CALM, 1), Verdict.PARTLY);
    assertVerdict("terrace-nothing-lost", withEnd(all, 1, 0, CALM, 1), Verdict.NOT_REPRODUCED);
    assertVerdict("terrace-nothing-doubled", withEnd(all, 0, 1, CALM, 1), Verdict.NOT_REPRODUCED);
    assertVerdict("terrace-convergence", withEnd(all, 0, 0, CALM, 2.1), Verdict.NOT_REPRODUCED);
  }

  @Test
  void gossipIsJudgedByTheMostInAnyRoundOfAllReplicas() {
    String id = "gossip-three-messages";
    int all = StalenessRun.REPLICAS;

    assertVerdict(
        id, withEnd(all, 0, 0, new GossipRecording(all, 9, 9, 4), 1), Verdict.NOT_REPRODUCED);
    assertVerdict(
        id, withEnd(all, 0, 0, new GossipRecording(all - 1, 9, 9, 3), 1), Verdict.CANNOT_TELL);
    assertVerdict(
        id, withEnd(all, 0, 0, new GossipRecording(all, 0, 0, 0), 1), Verdict.CANNOT_TELL);
  }

  @Test
  void theFastestReplicasAreNotFresherIfMoreThanHalfAsManyReadsAreStale() {
    String id = "terrace-adaptive-fresh";

    // The victims gave 55 stale reads.
    assertVerdict(
        id,
        MadeUpResults.withAdaptive(reads(filled(100), between(5, 6, 27), filled(0))),
        Verdict.REPRODUCED);
    assertVerdict(
        id,
        MadeUpResults.withAdaptive(reads(filled(100), between(5, 6, 28), filled(0))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        id,
        MadeUpResults.withVictims(reads(filled(100), between(5, 6, 4), filled(0))),
        Verdict.CANNOT_TELL);
  }

  @Test
  void pagesOfOneServiceAreComparedInPairs() {
    String id = "io-bound-varies";
    Latency steady = latency(10, 0.01, 100);

    assertVerdict(
        id,
        withPages(pages(run -> run.service().equals("io-small") && run.figure() == 6, steady)),
        Verdict.PARTLY);
    assertVerdict(
        id,
        withPages(pages(run -> !run.service().equals("cpu-small") && run.figure() == 6, steady)),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "overloaded-below-three",
        withPages(pages(run -> run.figure() == 6, steady)),
        Verdict.CANNOT_TELL);
    assertVerdict(
        "replication-absorbs",
        withPages(pages(run -> run.figure() == 7, steady)),
        Verdict.CANNOT_TELL);
  }

  @Test
  void redundancyIsJudgedWhereIntervalsAreApart() {
    Predicate<PetRun> two =
        run -> run.figure() == 8 && run.configuration().equals(MadeUpResults.K2);
    Predicate<PetRun> twoOfSeven = run -> two.test(run) && run.servicesAPage() == 7;

    assertVerdict("redundancy-improves", withPages(pages(twoOfSeven, latency(30))), Verdict.PARTLY);
    assertVerdict(
        "redundancy-improves", withPages(pages(two, latency(30))), Verdict.NOT_REPRODUCED);
    assertVerdict("redundancy-improves", withPages(pages(two, latency(20))), Verdict.CANNOT_TELL);
    assertVerdict("two-pays-most", withPages(pages(twoOfSeven, latency(30))), Verdict.PARTLY);
    assertVerdict("two-pays-most", withPages(pages(two, latency(30))), Verdict.NOT_REPRODUCED);
    assertVerdict(
        "two-pays-most",
        withPages(pages(run -> run.figure() == 8, latency(20))),
        Verdict.CANNOT_TELL);
  }

  @Test
  void sevenServicesThatTakeSevenTimesAsLongDoNotScale() {
    Predicate<PetRun> most =
        run ->
            run.figure() == 8
                && run.configuration().equals(MadeUpResults.K1)
                && run.servicesAPage() == 7;

    assertVerdict(
        "scales-with-services", withPages(pages(most, latency(105))), Verdict.NOT_REPRODUCED);
    assertVerdict("scales-with-services", withPages(pages(most, latency(104))), Verdict.REPRODUCED);
    assertVerdict(
        "scales-with-services", withPages(pages(most, latency(20, 1, 29))), Verdict.CANNOT_TELL);
  }
}
