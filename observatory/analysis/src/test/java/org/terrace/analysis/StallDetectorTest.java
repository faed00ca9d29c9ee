package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.Stations.request;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.core.RadixSort;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Seeds;
import org.terrace.testing.StationSimulator;
import org.terrace.testing.StationSimulator.Bursts;
import org.terrace.testing.StationSimulator.Pause;
import org.terrace.testing.StationSimulator.RequestClass;
import org.terrace.testing.StationSimulator.Run;
import org.terrace.testing.StationSimulator.Settings;

class StallDetectorTest {
  private static final double[] UTILISATIONS = {0.35, 0.6, 0.72};

  @Test
  void findsInjectedPausesOfTwentyMillisecondsAndMoreWithExactEdges() {
    long seed = Seeds.next("StallDetectorTest.findsInjectedPauses");
    int pauses = 0;
    int found = 0;
    int right = 0;
    double edgeError = 0;
    for (int round = 0; round < 12; round++) {
      Settings plain = Stations.bursty(8, UTILISATIONS[round % 3], 30);
      RandomGenerator random = Seeds.generator(seed + round);
      Settings settings =
          plain.withPauses(
              StationSimulator.pauses(random, plain, 15, 20 * MILLIS, 250 * MILLIS, 600 * MILLIS));
      List<DetectedStall> stalls =
          detect(settings, new StationSimulator(settings).run(seed + round));
      pauses += settings.pauses().size();
      found += stalls.size();
      for (Pause pause : settings.pauses()) {
        for (DetectedStall stall : stalls) {
          if (overlaps(stall, pause.startNanos(), pause.endNanos())) {
            right++;
            edgeError += Math.abs(stall.startNanos() - pause.startNanos()) / 2e6;
            edgeError += Math.abs(stall.endNanos() - pause.endNanos()) / 2e6;
          }
        }
      }
    }
    System.out.printf(
        "pauses %d, stalls %d, right %d, mean edge error %.2f ms%n",
        pauses, found, right, edgeError / right);
    assertThat((double) right / pauses).as("recall").isGreaterThanOrEqualTo(0.95);
    assertThat((double) right / found).as("precision").isGreaterThanOrEqualTo(0.95);
    assertThat(edgeError / right).as("mean edge error in ms").isLessThan(2);
  }

  @Test
  void findsNoStallWithoutPauses() {
    long seed = Seeds.next("StallDetectorTest.findsNoStall");
    int falseAlarms = 0;
    int runs = 0;
    for (int servers : new int[] {1, 4, 8, 30}) {
      // One server with slow requests is silent whenever it serves one of them.
      double[] utilisations =
          servers == 1 ? new double[] {0.05, 0.1, 0.2} : new double[] {0.05, 0.35, 0.6, 0.85};
      for (double utilisation : utilisations) {
        for (int repeat = 0; repeat < 3; repeat++) {
          Settings settings = Stations.bursty(servers, utilisation, 20);
          falseAlarms += detect(settings, new StationSimulator(settings).run(seed + runs++)).size();
        }
      }
    }
    // One of 1,395 runs alarmed, where one of 100 may: at five times that rate more than 4 of 45
    // have a probability below 1e-6, and where one of ten alarms 5 are usual.
    assertThat(falseAlarms).isLessThanOrEqualTo(4);
  }

  @Test
  void aSlowPageAloneOnAQuietServerIsNoStall() {
    long seed = Seeds.next("StallDetectorTest.aSlowPageAlone");
    int stalls = 0;
    for (int round = 0; round < 20; round++) {
      Settings settings =
          new Settings(
              16,
              List.of(
                  new RequestClass("page", 0.95, 5 * MILLIS, 2),
                  new RequestClass("search", 0.05, 300 * MILLIS, 4)),
              0.03,
              Bursts.NONE,
              START,
              60 * SECONDS,
              List.of());
      stalls += detect(settings, new StationSimulator(settings).run(seed + round)).size();
    }
    // None of 6,000 rounds had one: if one of 2,000 has, 3 of 20 have a probability below 1e-6.
    assertThat(stalls).isLessThanOrEqualTo(2);
  }

  @Test
  void findsAPauseOfAServerWithFewRequests() {
    Settings plain =
        new Settings(
            16,
            List.of(new RequestClass("page", 1, 5 * MILLIS, 2)),
            0.05,
            Bursts.NONE,
            START,
            60 * SECONDS,
            List.of());
    Pause pause = new Pause(START + 30 * SECONDS, START + 30 * SECONDS + 200 * MILLIS);
    Settings settings = plain.withPauses(List.of(pause));
    long seed = Seeds.next("StallDetectorTest.findsAPauseOfAServerWithFewRequests");

    Run run = new StationSimulator(settings).run(seed);
    // Nobody sees the pause before somebody waits: of 6 ms on average, 47 ms in one of 2,000 runs.
    long firstWaiting =
        IntStream.range(0, run.size())
            .filter(i -> run.departureNanos()[i] >= pause.endNanos())
            .mapToLong(i -> run.arrivalNanos()[i])
            .min()
            .orElseThrow();
    long seen = Math.max(pause.startNanos(), firstWaiting);

    List<DetectedStall> stalls = detect(settings, run);

    assertThat(stalls)
        .anySatisfy(stall -> {
          assertThat(stall.startNanos()).isCloseTo(seen, within(30 * MILLIS));
          assertThat(stall.endNanos()).isCloseTo(pause.endNanos(), within(30 * MILLIS));
        });
  }

  @Test
  void aServerThatDiesWithRequestsInFlightStallsUntilTheyAreAborted() {
    Settings settings = Stations.bursty(8, 0.5, 20);
    Run run =
        new StationSimulator(settings)
            .run(Seeds.next("StallDetectorTest.aServerThatDiesWithRequestsInFlight"));
    long death = START + 12 * SECONDS;
    long abort = death + 700 * MILLIS;
    RequestTable.Builder table = new RequestTable.Builder();
    long lastAnswer = 0;
    long firstUnanswered = Long.MAX_VALUE;
    for (int i = 0; i < run.size(); i++) {
      long arrival = run.arrivalNanos()[i];
      if (arrival >= abort) {
        continue;
      }
      boolean answered = run.departureNanos()[i] < death;
      long departure = answered ? run.departureNanos()[i] : abort + i % 3;
      lastAnswer = answered ? Math.max(lastAnswer, departure) : lastAnswer;
      firstUnanswered = answered ? firstUnanswered : Math.min(firstUnanswered, arrival);
      table.accept(
          request(
              "app1",
              settings.classes().get(run.requestClass()[i]).name(),
              arrival,
              departure,
              answered ? Outcome.OK : Outcome.ABORTED));
    }

    // A run of 20 s may also have a stall by chance, which is elsewhere.
    List<DetectedStall> stalls =
        detect(table.build(), stretch(settings)).stream()
            .filter(stall -> overlaps(stall, death - SECONDS, abort + SECONDS))
            .toList();

    assertThat(stalls).hasSize(1);
    // An answer that came alone after three or more were due belongs to the stall.
    long begun = Math.max(lastAnswer, firstUnanswered);
    assertThat(stalls.getFirst().startNanos()).isBetween(begun - 10 * MILLIS, begun);
    assertThat(stalls.getFirst().endNanos()).isBetween(abort, abort + 2);
    assertThat(stalls.getFirst().peakLoad()).isGreaterThan(100);
  }

  @Test
  void movingAllTimesMovesTheStallsAndNothingElse() {
    Settings plain = Stations.bursty(8, 0.6, 10);
    Settings settings =
        plain.withPauses(
            List.of(new Pause(START + 4 * SECONDS, START + 4 * SECONDS + 90 * MILLIS)));
    Run run = new StationSimulator(settings).run(Seeds.next("StallDetectorTest.movingAllTimes"));
    long move = 123_456_789_012_345L;
    RequestTable.Builder moved = new RequestTable.Builder();
    for (int i = 0; i < run.size(); i++) {
      moved.accept(
          request(
              "app1",
              settings.classes().get(run.requestClass()[i]).name(),
              run.arrivalNanos()[i] + move,
              run.departureNanos()[i] + move,
              Outcome.OK));
    }
    Stretch stretch = stretch(settings);

    List<DetectedStall> stalls = detect(settings, run);
    List<DetectedStall> movedStalls =
        detect(
            moved.build(),
            new Stretch(stretch.startNanos() + move, stretch.endNanos() + move, "whole"));

    assertThat(stalls).isNotEmpty();
    assertThat(movedStalls)
        .containsExactlyElementsOf(
            stalls.stream()
                .map(stall ->
                    new DetectedStall(
                        stall.startNanos() + move,
                        stall.endNanos() + move,
                        stall.peakLoad(),
                        stall.silenceNanos()))
                .toList());
  }

  private static Stretch stretch(Settings settings) {
    return new Stretch(
        settings.startNanos(), settings.startNanos() + settings.durationNanos(), "whole");
  }

  private static List<DetectedStall> detect(Settings settings, Run run) {
    return detect(Stations.observation(settings, run).requests(), stretch(settings));
  }

  private static List<DetectedStall> detect(RequestTable table, Stretch stretch) {
    ServerRequests requests = ServerRequests.split(table)[0];
    RadixSort sort = new RadixSort();
    return ServerStalls.detect(
            requests,
            List.of(),
            Cells.of(requests, stretch),
            Residences.of(requests, stretch, sort),
            stretch,
            sort)
        .stalls();
  }

  private static boolean overlaps(DetectedStall stall, long from, long to) {
    return stall.sharedNanos(new DetectedStall(from, to, 0, 0)) > 0;
  }
}
