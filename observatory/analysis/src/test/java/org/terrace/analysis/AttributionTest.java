package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.Intervals;
import org.terrace.core.Strata;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;
import org.terrace.testing.Trials;

class AttributionTest {
  private static final Stretch STRETCH = new Stretch(START, START + 40 * SECONDS, "whole");
  private static final List<Server> SERVERS =
      List.of(
          new Server("web1", "web", List.of()),
          new Server("app1", "app", List.of()),
          new Server("app2", "app", List.of()),
          new Server("db1", "database", List.of()));

  @Test
  void givesEachStallTheShareThatTheUnionOfEventsOverlaps() {
    List<Event> events =
        List.of(
            event("app1", EventKinds.GC_PAUSE, 1_000, 1_040),
            event("app1", EventKinds.GC_PAUSE, 1_020, 1_060),
            event("db1", "checkpoint", 1_050, 1_080));

    Findings.Stall stall = explain(1, 1_000, 1_100, events);

    assertThat(stall.causes())
        .extracting(Findings.Cause::kind)
        .containsExactly("gc-pause", "checkpoint");
    assertThat(stall.causes().get(0).share()).isCloseTo(0.6, within(1e-9));
    assertThat(stall.causes().get(1).share()).isCloseTo(0.3, within(1e-9));
    assertThat(stall.unexplainedShare()).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void listsOnlyEventsThatMayDisturbTheServer() {
    List<Event> events =
        List.of(
            event("web1", EventKinds.GC_PAUSE, 1_000, 1_100),
            event("app2", EventKinds.GC_PAUSE, 1_000, 1_100),
            event("app2", EventKinds.FAULT_PAUSE, 1_000, 1_100),
            event("db1", "checkpoint", 1_000, 1_100),
            event("host", "steal", 1_000, 1_100),
            event("experiment", EventKinds.PHASE_RUN, 0, 40_000));

    Findings.Stall stall = explain(1, 1_000, 1_100, events);

    assertThat(stall.causes())
        .extracting(cause -> cause.kind() + " " + cause.node())
        .containsExactlyInAnyOrder("fault-pause app2", "checkpoint db1", "steal host");
  }

  @Test
  void nothingOnALaterTierExplainsThatAServerStoodStill() {
    List<Event> events =
        List.of(
            event("app1", EventKinds.GC_PAUSE, 1_000, 1_100),
            event("db1", "checkpoint", 1_000, 1_100));

    Findings.Stall stall =
        Attribution.explain(
                SERVERS.subList(1, 4),
                List.of(List.of(stall(1_000, 1_100)), List.of(), List.of()),
                evenDemand(),
                events,
                STRETCH,
                AnalysisOptions.defaults())
            .getFirst()
            .getFirst();

    assertThat(stall.causes()).extracting(Findings.Cause::kind).containsExactly("gc-pause");
  }

  @Test
  void anEventWithTheStallsEdgesComesBeforeALongOneThatCoversIt() {
    List<Event> events =
        List.of(
            event("app1", EventKinds.FAULT_GC_PRESSURE, 900, 1_900),
            event("app1", EventKinds.GC_PAUSE, 1_005, 1_095));

    Findings.Stall stall = explain(1, 1_000, 1_100, events);

    assertThat(stall.causes())
        .extracting(Findings.Cause::kind)
        .containsExactly("gc-pause", "fault-gc-pressure");
    assertThat(stall.causes().getFirst().agreement()).isCloseTo(0.9, within(1e-9));
    assertThat(stall.causes().getFirst().lift()).isGreaterThan(100);
  }

  @Test
  void insignificantEventsExplainNothing() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      events.add(event("app1", "compilation", i * 100L, i * 100L + 60));
    }

    Findings.Stall stall = explain(1, 1_000, 1_100, events);

    assertThat(stall.causes()).extracting(Findings.Cause::kind).containsExactly("compilation");
    assertThat(stall.causes().getFirst().significant()).isFalse();
    assertThat(stall.unexplainedShare()).isEqualTo(1);
  }

  @Test
  void aKillDisturbsForASecondAndAnEndedPauseForTwentyMilliseconds() {
    List<Event> events =
        List.of(
            event("app1", EventKinds.FAULT_KILL, 1_000, 1_010),
            event("app2", EventKinds.GC_PAUSE, 1_480, 1_490),
            event("app2", EventKinds.SAFEPOINT, 1_470, 1_475));

    Findings.Stall stall = explain(2, 1_500, 1_600, events);

    assertThat(stall.causes())
        .extracting(Findings.Cause::kind)
        .containsExactly("fault-kill", "gc-pause");
    assertThat(stall.causes().getFirst().share()).isEqualTo(1);
    assertThat(explain(2, 2_100, 2_200, events).causes()).isEmpty();
    assertThat(explain(2, 2_100, 2_200, events).unexplainedShare()).isEqualTo(1);
  }

  @Test
  void pausesThatMatchStallsAreSignificantAndRandomEventsAreNot() {
    RandomGenerator random = Seeds.generator(Seeds.next("AttributionTest.pausesThatMatch"));
    double low =
        Trials.share(
            100,
            1_000,
            AttributionTest::isUsual,
            round -> {
              List<DetectedStall> stalls = new ArrayList<>();
              List<Event> events = new ArrayList<>();
              for (int i = 0; i < 20; i++) {
                long at = i * 2_000L + random.nextLong(1_500);
                stalls.add(stall(at, at + 60));
                events.add(event("app1", EventKinds.GC_PAUSE, at, at + 50));
              }
              for (int i = 0; i < 200; i++) {
                long at = random.nextLong(40_000);
                events.add(event("app1", "compilation", at, at + 40));
              }
              return isCompilationLow(stalls, events, round);
            });
    assertThat(low).matches(AttributionTest::isUsual);
  }

  /**
   * Whether no more than such a share of unrelated events has a probability of 0.05 or less: 5.1 in
   * 100 were measured. More than 12 in 100 are so of 100 rounds in one of 500 builds, and of 1,000
   * rounds in less than one of a million.
   */
  private static boolean isUsual(double low) {
    return low <= 0.12;
  }

  private static boolean isCompilationLow(
      List<DetectedStall> stalls, List<Event> events, int round) {
    List<Findings.Stall> explained =
        Attribution.explain(
                SERVERS,
                List.of(List.of(), stalls, List.of(), List.of()),
                evenDemand(),
                events,
                STRETCH,
                withSeed(round))
            .get(1);
    boolean low = false;
    for (Findings.Stall stall : explained) {
      for (Findings.Cause cause : stall.causes()) {
        if (cause.kind().equals("gc-pause")) {
          assertThat(cause.p()).isLessThan(0.003);
          assertThat(cause.adjustedP()).isBetween(cause.p(), 0.01);
        } else {
          low |= cause.p() <= 0.05;
        }
      }
    }
    return low;
  }

  @Test
  void unrelatedEventsGetEvenlySpreadProbabilities() {
    RandomGenerator random = Seeds.generator(Seeds.next("AttributionTest.unrelatedEvents"));
    double low =
        Trials.share(
            200,
            1_000,
            AttributionTest::isUsual,
            round -> {
              List<DetectedStall> stalls = new ArrayList<>();
              List<Event> events = new ArrayList<>();
              long turn = random.nextLong(40_000);
              for (int i = 0; i < 20; i++) {
                long at = i * 2_000L + random.nextLong(1_900);
                stalls.add(stall(at, at + 100));
                // Turned by a random time: two patterns that keep to one grid would be related by
                // it.
                long other = (i * 2_000L + random.nextLong(1_900) + turn) % 40_000;
                events.add(event("app1", EventKinds.GC_PAUSE, other, other + 100));
              }
              AnalysisOptions options = withSeed(round);
              return probability(stalls, events, evenDemand().getFirst(), options) <= 0.05;
            });
    assertThat(low).matches(AttributionTest::isUsual);
  }

  @Test
  void eventsThatComeWhenMuchIsAskedForExplainNothing() {
    RandomGenerator random = Seeds.generator(Seeds.next("AttributionTest.busySeconds"));
    double[] asked = new double[40];
    for (int second = 10; second < 20; second++) {
      asked[second] = 100;
    }
    Strata byDemand = Strata.byLevel(START, SECONDS, asked, 4);
    int rounds = 100;
    int low = 0;
    int lowWithoutDemand = 0;
    for (int round = 0; round < rounds; round++) {
      List<DetectedStall> stalls = new ArrayList<>();
      List<Event> events = new ArrayList<>();
      long turn = random.nextLong(10_000);
      for (int i = 0; i < 100; i++) {
        long at = 10_000 + i * 100L + random.nextLong(80);
        stalls.add(stall(at, at + 20));
        // Turned by a random time: two patterns that keep to one grid would be related by it.
        long other = 10_000 + (i * 100L + random.nextLong(80) + turn) % 10_000;
        events.add(event("app1", "compilation", other, other + 20));
      }
      AnalysisOptions options = AnalysisOptions.defaults();
      low += probability(stalls, events, byDemand, options) <= 0.05 ? 1 : 0;
      Strata even = evenDemand().getFirst();
      lowWithoutDemand += probability(stalls, events, even, options) <= 0.05 ? 1 : 0;
    }
    // Of 5,000 rounds 4.8 in 100 were: more than 20 of 100 have a probability below 1e-6.
    assertThat(low).isLessThanOrEqualTo(20);
    // Of 5,000 rounds 74.8 in 100 were: 40 or fewer have a probability below 1e-6.
    assertThat(lowWithoutDemand).isGreaterThan(40);
  }

  @Test
  void burstsExplainTheCongestionThatTheyAskFor() {
    double[] asked = new double[40];
    List<DetectedStall> congested = new ArrayList<>();
    List<Event> bursts = new ArrayList<>();
    for (int second : List.of(2, 3, 9, 14, 15, 20, 26, 31, 33, 38)) {
      long at = 1_000L * second;
      asked[second] = 100;
      congested.add(stall(at + 50, at + 950).waitingFor("db1"));
      bursts.add(event(Server.CLIENTS, EventKinds.BURST, at + 100, at + 300));
      bursts.add(event("app1", "compilation", at + 100, at + 300));
    }
    // Within the busy seconds alone, where more is asked anyway, a burst cannot be told.
    Strata byDemand = Strata.byLevel(START, SECONDS, asked, 4);

    List<Findings.Stall> explained =
        Attribution.explain(
                SERVERS.subList(1, 2),
                List.of(congested),
                List.of(byDemand),
                bursts,
                STRETCH,
                AnalysisOptions.defaults())
            .getFirst();

    for (Findings.Stall each : explained) {
      assertThat(each.causes().stream().filter(Findings.Cause::significant))
          .extracting(Findings.Cause::kind)
          .containsExactly("burst");
    }
  }

  @Test
  void aReadingComesBehindTheEventThatItIsOf() {
    List<Event> events =
        List.of(
            event("db1", EventKinds.WRITEBACK, 1_000, 1_100),
            event("db1", EventKinds.CHECKPOINT_SYNC, 1_008, 1_092),
            event("db1", EventKinds.AUTOVACUUM, 0, 30_000));

    assertThat(explain(3, 1_000, 1_100, events).causes())
        .extracting(Findings.Cause::kind)
        .startsWith("checkpoint-sync", "writeback");
  }

  @Test
  void aReadingComesBeforeALongEventThatHappensToCoverIt() {
    List<Event> events =
        List.of(
            event("db1", EventKinds.IO_PRESSURE, 1_000, 1_100),
            event("db1", EventKinds.CHECKPOINT, 600, 1_500));

    assertThat(explain(3, 1_000, 1_100, events).causes())
        .extracting(Findings.Cause::kind)
        .startsWith("io-pressure", "checkpoint");
  }

  @Test
  void aPauseExplainsTheCongestionOfALaterServerThatItReleases() {
    List<Event> events =
        List.of(
            event("web1", EventKinds.GC_PAUSE, 800, 1_000),
            event("web1", "compilation", 790, 1_010),
            event("web1", EventKinds.GC_PAUSE, 2_000, 2_200));
    DetectedStall pause = stall(800, 1_000);

    assertThat(congestion(1_005, 1_150, pause, events).causes())
        .extracting(cause -> cause.kind() + " " + cause.node())
        .containsExactlyInAnyOrder("gc-pause web1", "compilation web1");
    assertThat(congestion(850, 950, pause, events).causes()).isEmpty();
    assertThat(congestion(1_500, 1_600, pause, events).causes()).isEmpty();
    // What did not hold up the earlier server released nothing.
    assertThat(congestion(2_205, 2_350, pause, events).causes()).isEmpty();
    DetectedStall wait = pause.waitingFor("app1");
    assertThat(congestion(1_005, 1_150, wait, events).causes()).isEmpty();
  }

  private static Findings.Stall congestion(
      long fromMillis, long toMillis, DetectedStall ofWeb, List<Event> events) {
    DetectedStall span =
        new AnalyzedServer.Congestion(
                START + fromMillis * MILLIS, START + toMillis * MILLIS, true, 9, 1, null)
            .span();
    return Attribution.explain(
            SERVERS,
            List.of(List.of(ofWeb), List.of(span), List.of(), List.of()),
            evenDemand(),
            events,
            STRETCH,
            AnalysisOptions.defaults())
        .get(1)
        .getFirst();
  }

  private static double probability(
      List<DetectedStall> stalls, List<Event> events, Strata strata, AnalysisOptions options) {
    return Attribution.explain(
            SERVERS.subList(1, 2), List.of(stalls), List.of(strata), events, STRETCH, options)
        .getFirst()
        .stream()
        .flatMap(stall -> stall.causes().stream())
        .mapToDouble(Findings.Cause::p)
        .findFirst()
        .orElse(1);
  }

  /** Nothing is known of the demand of any server. */
  private static List<Strata> evenDemand() {
    Strata whole = Strata.byLevel(START, 40 * SECONDS, new double[1], 1);
    return Collections.nCopies(SERVERS.size(), whole);
  }

  @Test
  void shiftedOverlapEqualsTheOverlapOfShiftedIntervals() {
    RandomGenerator random = Seeds.generator(Seeds.next("AttributionTest.shifted"));
    for (int round = 0; round < 200; round++) {
      int circumference = 60;
      boolean[] a = new boolean[circumference];
      boolean[] b = new boolean[circumference];
      Intervals first = random(random, a);
      Intervals second = random(random, b);
      int shift = random.nextInt(circumference);
      long expected = 0;
      for (int i = 0; i < circumference; i++) {
        expected += a[i] && b[(i + shift) % circumference] ? 1 : 0;
      }
      assertThat(first.overlapShifted(second, 0, circumference, shift)).isEqualTo(expected);
    }
  }

  private static Intervals random(RandomGenerator random, boolean[] marks) {
    int count = random.nextInt(6);
    long[] starts = new long[count];
    long[] ends = new long[count];
    for (int i = 0; i < count; i++) {
      starts[i] = random.nextInt(marks.length);
      ends[i] = Math.min(marks.length, starts[i] + random.nextInt(12));
      for (long at = starts[i]; at < ends[i]; at++) {
        marks[(int) at] = true;
      }
    }
    return Intervals.union(starts, ends, 0, marks.length);
  }

  private static Findings.Stall explain(
      int server, long fromMillis, long toMillis, List<Event> events) {
    List<List<DetectedStall>> stalls = new ArrayList<>();
    for (int i = 0; i < SERVERS.size(); i++) {
      DetectedStall waiting = stall(fromMillis, toMillis).waitingFor("db1");
      stalls.add(i == server ? List.of(waiting) : List.of());
    }
    return Attribution.explain(
            SERVERS, stalls, evenDemand(), events, STRETCH, AnalysisOptions.defaults())
        .get(server)
        .getFirst();
  }

  private static DetectedStall stall(long fromMillis, long toMillis) {
    long length = (toMillis - fromMillis) * MILLIS;
    return new DetectedStall(START + fromMillis * MILLIS, START + toMillis * MILLIS, 9, length);
  }

  private static Event event(String node, String kind, long fromMillis, long toMillis) {
    return new Event(node, kind, START + fromMillis * MILLIS, START + toMillis * MILLIS, Map.of());
  }

  private static AnalysisOptions withSeed(long seed) {
    AnalysisOptions usual = AnalysisOptions.defaults();
    return new AnalysisOptions(
        null, seed, usual.resamples(), usual.shifts(), usual.correctedDeviation());
  }
}
