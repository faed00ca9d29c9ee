package org.terrace.analysis.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishedCongestionPointTest {

  /**
   * Slopes 10, 10, 10, 0. Up to the third the deviation is zero and the bound is 10. At the fourth
   * the mean is 7.5 and the squares add up to 75; t(0.95, 3) = 2.3534, so the bound is 7.5 - 2.3534
   * * 8.6603 = -12.88, below 0.2 * 10.
   */
  @Test
  void firesWhereTheLowerBoundOfTheSlopesFallsBelowTheTolerance() {
    double[] ld = {1, 2, 3, 4, 5};
    double[] tp = {10, 20, 30, 30, 30};

    assertThat(PublishedCongestionPoint.ofIntervals(ld, tp, 5, false)).isEqualTo(4.0);
  }

  /**
   * Slopes 10, 10, 10, 8. The mean is 9.5 and the squares add up to 3. As printed the deviation is
   * 1.7321 and the bound 9.5 - 2.3534 * 1.7321 = 5.42: no congestion. The fifth slope of 0 brings
   * the mean to 7.6 and the squares to 75.2: as printed 7.6 - 2.1318 * 8.6718 = -10.89; corrected
   * 7.6 - 2.1318 * 4.3359 = -1.64. Both fire there. With a fifth slope of 6 the mean is 8.8 and the
   * squares 12.8: as printed 8.8 - 2.1318 * 3.5777 = 1.17 fires below 2; corrected 8.8 - 2.1318 *
   * 1.7889 = 4.99 does not.
   */
  @Test
  void theCorrectedDeviationFiresLaterThanTheOneAsPrinted() {
    double[] ld = {1, 2, 3, 4, 5};
    double[] falling = {10, 20, 30, 38, 38};
    double[] bending = {10, 20, 30, 38, 44};

    assertThat(PublishedCongestionPoint.ofIntervals(ld, falling, 5, false)).isEqualTo(5.0);
    assertThat(PublishedCongestionPoint.ofIntervals(ld, falling, 5, true)).isEqualTo(5.0);
    assertThat(PublishedCongestionPoint.ofIntervals(ld, bending, 5, false)).isEqualTo(5.0);
    assertThat(PublishedCongestionPoint.ofIntervals(ld, bending, 5, true)).isNull();
  }

  @Test
  void averagesWindowsIntoEvenLoadIntervalsAndLeavesEmptyOnesOut() {
    // Loads 1 to 4 with slope 10, then 5 to 9 without growth; interval width 0.08.
    double[] load = {1, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    double[] throughput = {9, 11, 20, 30, 40, 40, 40, 40, 40, 40};

    assertThat(PublishedCongestionPoint.estimate(load, throughput, false)).isEqualTo(5.0);
  }

  @Test
  void saysNothingWithoutVariationOfLoad() {
    assertThat(PublishedCongestionPoint.estimate(new double[0], new double[0], false)).isNull();
    assertThat(PublishedCongestionPoint.estimate(new double[] {2, 2}, new double[] {5, 6}, false))
        .isNull();
  }
}
