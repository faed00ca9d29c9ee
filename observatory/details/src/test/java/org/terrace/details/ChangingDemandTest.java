package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Delay over the usual where demand changes: what is usual of much demand is no delay. */
class ChangingDemandTest {
  private static final int SECONDS = 100;
  private static final int CELLS = SECONDS * 100;
  private static final double RESIDENCE = 0.010;
  private static final double PAUSE = 0.1;

  /** The load of a healthy server by time, and the time of a pause. */
  private static void check(DoubleUnaryOperator load, double... pauses) {
    double[] arrived = new double[1_000_000];
    int size = 0;
    for (double time = 0; time < SECONDS; time += RESIDENCE / load.applyAsDouble(time)) {
      arrived[size++] = time;
    }
    long[] from = new long[size];
    long[] to = new long[size];
    boolean[] stalled = new boolean[CELLS];
    double truth = 0;
    double able = 0.25 * RESIDENCE;
    for (double pause : pauses) {
      Arrays.fill(stalled, (int) (pause * 100), (int) ((pause + PAUSE) * 100), true);
    }
    double last = 0;
    for (int i = 0; i < size; i++) {
      double free = arrived[i] + RESIDENCE;
      double end = Math.max(free, last + able / load.applyAsDouble(arrived[i]));
      for (double pause : pauses) {
        end = end >= pause && end < pause + PAUSE ? pause + PAUSE : end;
      }
      last = end;
      truth += end - free;
      from[i] = (long) (arrived[i] * 1e9);
      to[i] = (long) (end * 1e9);
    }
    DelayReplay replay = DelayReplayTest.replay(from, to, stalled);
    double over = Arrays.stream(replay.overUsual()).sum();

    assertThat(over / truth).as("%s of %s", over, truth).isCloseTo(1, within(0.2));
    double saved = Arrays.stream(replay.saved(stalled, replay.arrivals())).sum();
    assertThat(saved / truth).as("%s of %s", saved, truth).isCloseTo(1, within(0.25));
  }

  @ParameterizedTest
  @ValueSource(doubles = {80, 58, 62.5, 20})
  void twoLevels(double pause) {
    check(time -> time < 60 ? 10 : 30, pause);
  }

  @Test
  void fallingDemand() {
    check(time -> time < 60 ? 30 : 10, 30, 58, 80);
  }

  @ParameterizedTest
  @ValueSource(doubles = {10, 40, 80})
  void ramp(double pause) {
    check(time -> 5 + 0.4 * time, pause);
  }

  @Test
  void daysCurve() {
    check(
        time -> 20 - 15 * Math.cos(2 * Math.PI * time / SECONDS),
        DoubleStream.iterate(5, at -> at < 97, at -> at + 9).toArray());
  }
}
