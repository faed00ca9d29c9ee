package org.terrace.studies.softstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatencyTest {
  /** Student's t of 29 and of 4 degrees of freedom: 2.0452 and 2.7764. */
  @Test
  void theIntervalOfAMeanIsStudents() {
    Latency enough = MadeUpResults.latency(10, 1, 30);
    assertThat(enough.meanLow()).isCloseTo(10 - 2.0452, within(1e-4));
    assertThat(enough.meanHigh()).isCloseTo(10 + 2.0452, within(1e-4));
    assertThat(MadeUpResults.latency(10, 1, 5).meanHigh()).isCloseTo(12.7764, within(1e-4));
  }

  @Test
  void twoMeansAreApartOnlyWhereTheirIntervalsAre() {
    Latency low = MadeUpResults.latency(10, 1, 30);
    assertThat(low.isBelow(MadeUpResults.latency(14.0, 1, 30))).isFalse();
    assertThat(low.isBelow(MadeUpResults.latency(14.2, 1, 30))).isTrue();
    assertThat(low.isBelow(MadeUpResults.latency(1_000, 1, 29))).isFalse();
  }

  @Test
  void aSingleCallHasNoInterval() {
    Latency single = MadeUpResults.latency(10, 0, 1);
    assertThat(single.meanLow()).isEqualTo(single.meanHigh()).isEqualTo(10);
  }
}
