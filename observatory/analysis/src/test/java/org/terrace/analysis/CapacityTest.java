package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Seeds;
import org.terrace.testing.StationSimulator;
import org.terrace.testing.StationSimulator.Bursts;
import org.terrace.testing.StationSimulator.Pause;
import org.terrace.testing.StationSimulator.RequestClass;
import org.terrace.testing.StationSimulator.Run;
import org.terrace.testing.StationSimulator.Settings;
import org.terrace.testing.Trials;

class CapacityTest {
  private static final int RUN_SECONDS = 60;
  private static final int SLOTS = 8;

  /** Service times that hardly vary, so that no answer overtakes another, and such as vary. */
  private static final int CONSTANT = 200;

  private static final int VARIED = 2;

  @Test
  void tellsTheCapacityByThePaceAfterPausesWhereDemandIsFarBelowIt() {
    long seed = Seeds.next("CapacityTest.drains");
    // None of 392 runs failed, so that at most 1 % do (95 %).
    Trials.failAtMost(
        0.01,
        60,
        trial -> tellsTheCapacityAfterPauses(CONSTANT, CongestionPoint.DRAINS, 0.2, seed + trial));
  }

  @Test
  void tellsTheSlotsByTheOrderOfAnswersAfterPauses() {
    long seed = Seeds.next("CapacityTest.order");
    Trials.failAtMost(
        0.01,
        60,
        trial -> tellsTheCapacityAfterPauses(VARIED, CongestionPoint.ORDER, 0.1, seed + trial));
  }

  private static void tellsTheCapacityAfterPauses(
      int stages, String basis, double error, long seed) {
    List<Pause> pauses = new ArrayList<>();
    for (int second = 2; second < RUN_SECONDS; second += 3) {
      long at = START + second * SECONDS;
      pauses.add(new Pause(at, at + 80 * MILLIS));
    }

    CongestionPoint quiet = point(run(settings(stages, List.of()), seed));
    CongestionPoint paused = point(run(settings(stages, pauses), seed));

    assertThat(quiet.identifiable()).isFalse();
    assertThat(paused.identifiable()).isTrue();
    assertThat(paused.basis()).isEqualTo(basis);
    assertThat(paused.load()).isCloseTo(SLOTS, within(error * SLOTS));
    double capacity = settings(stages, pauses).capacityPerSecond();
    assertThat(paused.capacityPerSecond()).isCloseTo(capacity, within(error * capacity));
  }

  @Test
  void saysWhenTheCapacityChangedMeanwhile() {
    long seed = Seeds.next("CapacityTest.changes");
    // From half of the time on, half of every 4 ms is taken away.
    List<Pause> pauses = new ArrayList<>();
    long end = START + RUN_SECONDS * SECONDS;
    for (long at = START + RUN_SECONDS * SECONDS / 2; at < end; at += 4 * MILLIS) {
      pauses.add(new Pause(at, at + 2 * MILLIS));
    }

    assertThat(point(run(bursty(pauses), seed)).change()).contains("changed", "in the");
    assertThat(point(run(bursty(List.of()), seed)).change()).isNull();
  }

  private static Settings bursty(List<Pause> pauses) {
    return new Settings(
        SLOTS,
        List.of(new RequestClass("read", 1, 2 * MILLIS, 2)),
        0.6,
        new Bursts(0.95, 300 * MILLIS),
        START,
        RUN_SECONDS * SECONDS,
        pauses);
  }

  private static Settings settings(int stages, List<Pause> pauses) {
    return new Settings(
        SLOTS,
        List.of(new RequestClass("read", 1, 2 * MILLIS, stages)),
        0.3,
        Bursts.NONE,
        START,
        RUN_SECONDS * SECONDS,
        pauses);
  }

  private static Observation run(Settings settings, long seed) {
    Run run = new StationSimulator(settings).run(seed);
    return Stations.observation(settings, run);
  }

  private static CongestionPoint point(Observation observation) {
    RequestTable table = observation.requests();
    assertThat(table.size()).isPositive();
    return Analysis.analyze(observation, AnalysisOptions.defaults())
        .findings()
        .servers()
        .getFirst()
        .congestionPoint();
  }
}
