package org.terrace.studies.transients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.studies.transients.PlantedRuns.change;
import static org.terrace.studies.transients.PlantedRuns.collector;
import static org.terrace.studies.transients.PlantedRuns.governor;
import static org.terrace.studies.transients.PlantedRuns.paper;
import static org.terrace.studies.transients.PlantedRuns.watching;
import static org.terrace.studies.transients.PlantedRuns.with;
import static org.terrace.studies.transients.PlantedRuns.without;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.PublishedClaim;
import org.terrace.studies.design.Study;
import org.terrace.studies.transients.WatchingCost.Way;

/**
 * Judges runs that are planted: first such as agree with every claim, then the same with the one
 * thing changed that a claim is about.
 */
class TransientClaimsTest {
  private static final Study STUDY =
      new Study(
          "transient-bottlenecks",
          "a paper",
          "127.33",
          1,
          TransientClaims.IDS.stream()
              .map(id -> new PublishedClaim(id, "a figure", "a claim", "a value"))
              .toList(),
          context -> {
            throw new IllegalStateException("nothing runs here");
          },
          context -> {
            throw new IllegalStateException("nothing runs here");
          });

  private static Map<String, Verdict> verdicts(TransientResults results) {
    Map<String, Verdict> verdicts = new TreeMap<>();
    for (Claim claim : TransientClaims.judge(STUDY, results)) {
      assertThat(verdicts.put(claim.id(), claim.verdict())).as(claim.id()).isNull();
    }
    return verdicts;
  }

  /** Judges the claims of one kind alone, of which this one is: each kind takes seconds. */
  private static void assertVerdict(String id, TransientResults results, Verdict expected) {
    Ledger ledger = new Ledger(STUDY);
    if (id.contains("collector")) {
      new CollectorClaims(ledger, results).judge();
    } else if (id.contains("sampling") || id.contains("passive")) {
      new WatchingClaims(ledger, results).judge();
    } else {
      new GovernorClaims(ledger, results).judge();
    }
    assertThat(ledger.claims())
        .filteredOn(claim -> claim.id().equals(id))
        .extracting(Claim::verdict)
        .as(id)
        .containsExactly(expected);
  }

  @Test
  void everyClaimIsJudgedAndRunsThatAgreeReproduceAll() {
    Map<String, Verdict> verdicts = verdicts(PlantedRuns.agreeing());

    assertThat(verdicts.keySet()).containsExactlyInAnyOrderElementsOf(TransientClaims.IDS);
    assertThat(verdicts.values()).as(verdicts.toString()).containsOnly(Verdict.REPRODUCED);
  }

  @Test
  void whatWasNotRunCannotBeTold() {
    Map<String, Verdict> verdicts = verdicts(without(TransientSetting.values()));

    for (String id : TransientClaims.IDS) {
      boolean ofWatching = id.contains("sampling") || id.contains("passive");
      assertThat(verdicts.get(id))
          .as(id)
          .isEqualTo(ofWatching ? Verdict.REPRODUCED : Verdict.CANNOT_TELL);
    }
  }

  @Test
  void withoutAGovernorNothingIsToldOfOne() {
    for (TransientSetting setting :
        new TransientSetting[] {TransientSetting.GOVERNOR_MIDDLE, TransientSetting.GOVERNOR_HIGH}) {
      Map<String, Verdict> verdicts =
          verdicts(with(setting, run -> change(run, Map.of("hasGovernor", false))));
      String cure =
          setting == TransientSetting.GOVERNOR_HIGH ? "governor-cure-high" : "governor-cure-middle";
      assertThat(verdicts.get(cure)).isEqualTo(Verdict.CANNOT_TELL);
    }
    Map<String, Verdict> verdicts =
        verdicts(
            with(TransientSetting.GOVERNOR_HIGH, run -> change(run, Map.of("hasGovernor", false))));
    assertThat(verdicts.get("governor-trends")).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(verdicts.get("governor-lag")).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void aResponseTimeThatDoesNotGrowIsNoDeterioration() {
    assertVerdict(
        "early-deterioration",
        with(
            TransientSetting.GOVERNOR_MIDDLE,
            run -> change(run, Map.of("responseMillis", paper(_ -> 9)))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "early-deterioration",
        with(TransientSetting.GOVERNOR_HIGH, run -> governor(run.setting(), true, 80, 201)),
        Verdict.CANNOT_TELL);
  }

  @Test
  void aTailOfOneOrderIsPartOfTwoAndOfNoneIsNone() {
    assertVerdict(
        "long-tail",
        with(
            TransientSetting.GOVERNOR_MIDDLE,
            run -> change(run, Map.of("latencyNanos", PlantedRuns.latencies(1, 90)))),
        Verdict.PARTLY);
    assertVerdict(
        "long-tail",
        with(
            TransientSetting.GOVERNOR_MIDDLE,
            run -> change(run, Map.of("latencyNanos", PlantedRuns.latencies(1, 9)))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "long-tail",
        with(
            TransientSetting.GOVERNOR_MIDDLE,
            run -> change(run, Map.of("latencyNanos", new long[] {1, 2, 3}))),
        Verdict.CANNOT_TELL);
  }

  @Test
  void aSaturatedResourceOrNoCongestionRefutesThatSecondsHideIt() {
    String id = "unsaturated-at-seconds";
    assertVerdict(
        id,
        with(
            TransientSetting.GOVERNOR_MIDDLE,
            run -> change(run, Map.of("used", PlantedRuns.used(0.97)))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        id,
        with(
            TransientSetting.GOVERNOR_MIDDLE,
            run -> change(run, Map.of("windows", PlantedRuns.windows(_ -> 3, _ -> 60)))),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void withoutACongestionPointNothingIsToldOfCongestion() {
    TransientResults all = PlantedRuns.agreeing();
    Map<String, Object> none = new HashMap<>(Collections.singletonMap("congestionPoint", null));
    TransientResults published =
        new TransientResults(
            all.parameters(),
            all.runs().stream().map(run -> change(run, none)).toList(),
            all.watching());
    assertThat(DatabasePoint.of(published).load()).isEqualTo(PlantedRuns.POINT);
    assertVerdict("main-sequence", published, Verdict.PARTLY);
    none.put("publishedPoint", null);
    TransientResults results =
        new TransientResults(
            all.parameters(),
            all.runs().stream().map(run -> change(run, none)).toList(),
            all.watching());

    for (String id :
        new String[] {"main-sequence", "window-length", "governor-trends", "governor-cure-high"}) {
      assertVerdict(id, results, Verdict.CANNOT_TELL);
    }
  }

  @Test
  void longWindowsThatSeeAsMuchAndShortOnesThatBlurNothingRefuteTheWindowLength() {
    assertVerdict(
        "window-length",
        with(
            TransientSetting.GOVERNOR_HIGH,
            run ->
                change(
                    run,
                    Map.of(
                        "windows", PlantedRuns.evenWindows(w -> w % 400 < 200 ? 25 : 7, _ -> 60)))),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void pausesThatStopNothingAreNoStandstills() {
    assertVerdict(
        "collector-standstills",
        with(TransientSetting.COLLECTOR_HIGH, run -> collector(run.setting(), false)),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "collector-standstills",
        with(TransientSetting.COLLECTOR_LOW, run -> collector(run.setting(), true)),
        Verdict.PARTLY);
  }

  @Test
  void pausesAtOtherTimesThanLoadAreNotCorrelatedWithIt() {
    assertVerdict(
        "collector-pauses-load",
        with(
            TransientSetting.COLLECTOR_HIGH,
            run ->
                change(run, Map.of("pausedShare", paper(w -> PlantedRuns.isPaused(w) ? 0 : 0.5)))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "collector-pauses-load",
        with(
            TransientSetting.COLLECTOR_HIGH,
            run -> change(run, Map.of("pausedShare", paper(_ -> 0)))),
        Verdict.CANNOT_TELL);
  }

  @Test
  void aResponseTimeThatFallsWithLoadIsNotCorrelatedWithIt() {
    assertVerdict(
        "collector-load-response",
        with(
            TransientSetting.COLLECTOR_HIGH,
            run ->
                change(
                    run, Map.of("responseMillis", paper(w -> PlantedRuns.isPaused(w) ? 1 : 20)))),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void aCureThatLeavesTheBottlenecksIsNone() {
    assertVerdict(
        "collector-cure",
        with(TransientSetting.COLLECTOR_CURED, run -> collector(run.setting(), true)),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "collector-cure-response",
        with(TransientSetting.COLLECTOR_CURED, run -> collector(run.setting(), true)),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "collector-cure",
        with(TransientSetting.COLLECTOR_HIGH, run -> collector(run.setting(), false)),
        Verdict.CANNOT_TELL);
    assertVerdict(
        "governor-cure-middle",
        with(TransientSetting.FASTEST_MIDDLE, run -> governor(run.setting(), true, 10, 200)),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "governor-cure-high",
        with(TransientSetting.FASTEST_HIGH, run -> governor(run.setting(), true, 10, 300)),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void clocksWithOneThroughputAreOneTrend() {
    assertVerdict(
        "governor-trends",
        with(
            TransientSetting.GOVERNOR_HIGH,
            run -> change(run, Map.of("windows", PlantedRuns.windows(_ -> 25, _ -> 100)))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "governor-trends",
        with(
            TransientSetting.GOVERNOR_HIGH,
            run ->
                change(
                    run,
                    Map.of(
                        "windows",
                        PlantedRuns.windows(_ -> 25, w -> PlantedRuns.clock(w) < 1 ? 50 : 100)))),
        Verdict.PARTLY);
  }

  @Test
  void congestionAtTheFastestClockAloneIsNoLag() {
    assertVerdict(
        "governor-lag",
        with(
            TransientSetting.GOVERNOR_HIGH,
            run ->
                change(
                    run,
                    Map.of(
                        "windows",
                        PlantedRuns.windows(w -> PlantedRuns.clock(w) < 1 ? 3 : 25, _ -> 60)))),
        Verdict.NOT_REPRODUCED);
  }

  @Test
  void anotherServerThatIsCongestedLongerIsAWrongName() {
    assertVerdict(
        "terrace-names-database",
        with(TransientSetting.GOVERNOR_HIGH, run -> change(run, Map.of("mostCongested", "app1"))),
        Verdict.PARTLY);
    assertVerdict(
        "terrace-names-collector",
        with(TransientSetting.COLLECTOR_HIGH, run -> change(run, Map.of("explained", 35))),
        Verdict.PARTLY);
    assertVerdict(
        "terrace-names-collector",
        with(TransientSetting.COLLECTOR_HIGH, run -> change(run, Map.of("explained", 0))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "terrace-names-collector",
        with(
            TransientSetting.COLLECTOR_HIGH,
            run -> change(run, Map.of("stalls", 0, "explained", 0))),
        Verdict.CANNOT_TELL);
  }

  @Test
  void watchingIsJudgedByWhatItTakesBeyondNobodyWatching() {
    Map<Way, Double> cheap =
        Map.of(Way.PASSIVE, 0.2, Way.SECOND, 0.01, Way.TENTH, 0.02, Way.FIFTIETH, 0.1);
    assertVerdict("sampling-overhead", with(watching(cheap, Map.of())), Verdict.PARTLY);
    assertVerdict("sampling-overhead", with(watching(Map.of(), Map.of())), Verdict.NOT_REPRODUCED);
    assertVerdict(
        "terrace-passive-below-sampling", with(watching(cheap, Map.of())), Verdict.NOT_REPRODUCED);
    assertVerdict(
        "passive-negligible",
        with(watching(PlantedRuns.OWN, Map.of(Way.PASSIVE, 0.1))),
        Verdict.NOT_REPRODUCED);
    assertVerdict(
        "passive-negligible",
        with(watching(PlantedRuns.OWN, Map.of(Way.PASSIVE, 0.0095))),
        Verdict.CANNOT_TELL);
  }
}
