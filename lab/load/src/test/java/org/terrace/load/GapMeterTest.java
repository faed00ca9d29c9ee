package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GapMeterTest {
  private static final long MILLI = 1_000_000;

  private final GapMeter gaps = new GapMeter();

  @Test
  void theLongestGapCountsFromTheBeginningToTheEnd() {
    gaps.begin(0);
    assertThat(gaps.longestMillis(7 * MILLI)).isEqualTo(7);
    gaps.done(10 * MILLI);
    gaps.done(12 * MILLI);
    assertThat(gaps.longestMillis(13 * MILLI)).isEqualTo(10);
    assertThat(gaps.longestMillis(40 * MILLI)).isEqualTo(28);
  }

  @Test
  void aNewBeginningForgets() {
    gaps.begin(0);
    gaps.done(50 * MILLI);
    gaps.begin(60 * MILLI);
    gaps.done(61 * MILLI);
    assertThat(gaps.longestMillis(62 * MILLI)).isEqualTo(1);
  }
}
