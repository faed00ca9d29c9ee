package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.Intervals;
import org.terrace.core.RadixSort;

/**
 * The times of equal demand of a server whose callers wait for it, and so ask for less while it is
 * slow: in the first half of a minute by little, in the second by much.
 */
class DemandTest {
  private static final int RUN_SECONDS = 60;
  private static final int LITTLE = 50;
  private static final int MUCH = 200;
  private static final double USUAL = 0.01;

  /** Callers that a stop catches; as long as they wait, nobody asks for anything. */
  private static final int CAUGHT = 5;

  /** The length of what is shared with the times of each demand, least first, in seconds. */
  private static double[] shared(int from, int to, int slowFrom, int slowTo, int slowPerSecond) {
    long[] arrival = new long[RUN_SECONDS * MUCH];
    long[] departure = new long[arrival.length];
    int size = 0;
    for (int second = 0; second < RUN_SECONDS; second++) {
      boolean isSlow = second >= slowFrom && second < slowTo;
      int perSecond = isSlow ? slowPerSecond : second < RUN_SECONDS / 2 ? LITTLE : MUCH;
      double residence = isSlow ? 10 * USUAL : USUAL;
      for (int i = 0; i < perSecond; i++) {
        // A few requests more or less, so that no two seconds are quite alike.
        if (i > second % 7) {
          arrival[size] = START + second * SECONDS + i * SECONDS / perSecond;
          boolean isCaught =
              second == slowFrom - 1 && slowPerSecond == 0 && i >= perSecond - CAUGHT;
          departure[size] =
              isCaught ? START + slowTo * SECONDS : arrival[size] + (long) (residence * SECONDS);
          size++;
        }
      }
    }
    ServerRequests rows =
        new ServerRequests(
            "app1",
            Arrays.copyOf(arrival, size),
            Arrays.copyOf(departure, size),
            new int[size],
            new byte[size],
            List.of("page"));
    Stretch stretch = new Stretch(START, START + RUN_SECONDS * SECONDS, "whole");
    Intervals asked =
        Intervals.union(
            new long[] {START + from * SECONDS},
            new long[] {START + to * SECONDS},
            stretch.startNanos(),
            stretch.endNanos());
    Intervals[] split =
        new ServerAnalysis(
                rows, List.of(), List.of(), stretch, new RadixSort(), AnalysisOptions.defaults())
            .demand()
            .split(asked);
    return Arrays.stream(split).mapToDouble(each -> each.length() / 1e9).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 6, 8, 15})
  void aSlowTimeIsNoTimeOfLittleDemand(int seconds) {
    int from = 40;
    double[] shared = shared(from, from + seconds, from, from + seconds, 20);

    assertThat(shared).hasSize(4);
    assertThat(shared[0] + shared[1]).as("%s", Arrays.toString(shared)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 15})
  void aStopIsNoTimeOfLittleDemand(int seconds) {
    double[] shared = shared(40, 40 + seconds, 40, 40 + seconds, 0);

    assertThat(shared[0] + shared[1]).as("%s", Arrays.toString(shared)).isZero();
  }

  @Test
  void aSlowTimeOfLittleDemandIsNoneOfMuch() {
    double[] shared = shared(10, 20, 10, 20, 5);

    assertThat(shared[2] + shared[3]).as("%s", Arrays.toString(shared)).isZero();
  }

  @Test
  void whatIsLittleAskedForIsLittleDemand() {
    double[] shared = shared(0, RUN_SECONDS / 2, RUN_SECONDS, RUN_SECONDS, 0);

    assertThat(shared[2] + shared[3]).as("%s", Arrays.toString(shared)).isZero();
  }
}
