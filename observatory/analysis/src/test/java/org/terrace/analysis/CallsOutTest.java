package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.core.RadixSort;

/** Calls of which those that are streams or lost are told from those that are waited for. */
class CallsOutTest {
  private static final int RUN_SECONDS = 30;
  private static final Stretch STRETCH = new Stretch(START, START + RUN_SECONDS * SECONDS, "whole");
  private static final int CONNECTIONS = 4;

  private final List<long[]> calls = new ArrayList<>();

  private void call(double sent, double answered) {
    calls.add(new long[] {START + (long) (sent * 1e9), START + (long) (answered * 1e9)});
  }

  /** Calls of 20 ms on each connection one after the other, but for a stop. */
  private void usual(double stopped, double resumed) {
    for (int step = 0; step < RUN_SECONDS * 20; step++) {
      double at = step / 20.0;
      for (int connection = 0; connection < CONNECTIONS; connection++) {
        double end = at + 0.02 + 0.001 * connection;
        boolean isCaught = at < stopped && end + 0.05 > stopped;
        if (at < stopped || at > resumed) {
          call(at, isCaught ? resumed + 0.001 * connection : end);
        }
      }
    }
  }

  private CallsOut out() {
    calls.sort(Comparator.comparingLong(each -> each[0]));
    return new CallsOut(
        "db1",
        calls.stream().mapToLong(each -> each[0]).toArray(),
        calls.stream().mapToLong(each -> each[1]).toArray());
  }

  @Test
  void callsOfAServerThatStoppedForLongAreWaitedFor() {
    usual(10, 18);
    CallsOut out = out();

    assertThat(out.inFlight(STRETCH, 1_000)[14]).isCloseTo(CONNECTIONS, within(1e-9));
    assertThat(out.mostInFlight(new RadixSort())).isEqualTo(CONNECTIONS);
    DetectedStall late =
        new DetectedStall(START + 16 * SECONDS, START + 17 * SECONDS, CONNECTIONS, 0);
    assertThat(out.inFlightNanos(late)).as("6 s after they were sent").isEqualTo(4 * SECONDS);
  }

  @Test
  void callsThatOthersOvertakeForLongAreStreamsOrLost() {
    usual(RUN_SECONDS, RUN_SECONDS);
    for (int stream = 0; stream < 50; stream++) {
      call(1 + 0.01 * stream, 29);
    }
    CallsOut out = out();

    assertThat(out.inFlight(STRETCH, 1_000)[14]).isLessThan(CONNECTIONS);
    assertThat(out.mostInFlight(new RadixSort())).isEqualTo(CONNECTIONS);
    DetectedStall stall =
        new DetectedStall(START + 2 * SECONDS, START + 3 * SECONDS, CONNECTIONS, 0);
    assertThat(out.inFlightNanos(stall)).isLessThan(4 * SECONDS);
    assertThat(out.answeredWithin(START + 28 * SECONDS, START + 30 * SECONDS))
        .as("ends of streams are no answers")
        .isLessThan(200);
  }

  @Test
  void whereNearlyAllLastForLongTheyAreStreams() {
    for (int stream = 0; stream < 20; stream++) {
      call(stream, stream + 7);
    }

    assertThat(out().inFlight(STRETCH, 1_000)[14]).isZero();
  }
}
