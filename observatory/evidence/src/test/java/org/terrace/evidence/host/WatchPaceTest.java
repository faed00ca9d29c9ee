package org.terrace.evidence.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WatchPaceTest {
  private static final long MILLIS = 1_000_000L;

  @Test
  void aWatchThatCostsTooMuchReadsLessOftenUntilItCostsLess() {
    WatchPace pace = new WatchPace(20 * MILLIS, 0, 0);

    assertThat(pace.next(4_999 * MILLIS, 900 * MILLIS)).isEqualTo(20 * MILLIS);
    assertThat(pace.next(5_000 * MILLIS, 900 * MILLIS)).isEqualTo(20 * MILLIS);
    assertThat(pace.steadyShare()).isNaN();
    assertThat(pace.next(10_000 * MILLIS, 1_000 * MILLIS)).isEqualTo(40 * MILLIS);
    assertThat(pace.next(15_000 * MILLIS, 1_100 * MILLIS)).isEqualTo(50 * MILLIS);
    assertThat(pace.next(20_000 * MILLIS, 1_140 * MILLIS)).isEqualTo(50 * MILLIS);
    assertThat(pace.next(25_000 * MILLIS, 1_150 * MILLIS)).isEqualTo(25 * MILLIS);
    assertThat(pace.next(30_000 * MILLIS, 1_160 * MILLIS)).isEqualTo(20 * MILLIS);
    assertThat(pace.steadyShare()).isCloseTo(260 / 25_000.0, within(1e-9));
    assertThat(pace.longestMillis()).isEqualTo(50);
  }

  @Test
  void aWatchThatIsAskedToReadSeldomIsNotMadeFaster() {
    WatchPace pace = new WatchPace(200 * MILLIS, 0, 0);
    pace.next(5_000 * MILLIS, 0);

    assertThat(pace.next(10_000 * MILLIS, 4_000 * MILLIS)).isEqualTo(200 * MILLIS);
  }
}
