package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PercentilesTest {
  @Test
  void takesTheNearestRank() {
    assertThat(Percentiles.rank(1_000, 99.9)).isEqualTo(999);
    assertThat(Percentiles.rank(1_000, 50)).isEqualTo(500);
    assertThat(Percentiles.rank(3, 50)).isEqualTo(2);
    assertThat(Percentiles.rank(1, 0)).isEqualTo(1);
    assertThat(Percentiles.rank(7, 100)).isEqualTo(7);
    assertThat(Percentiles.rank(4_000_000_000L, 50)).isEqualTo(2_000_000_000L);
  }

  @Test
  void takesTheValueOfThatRank() {
    long[] sorted = {1, 2, 3, 4, 50, 60};

    assertThat(Percentiles.ofSorted(sorted, 50)).isEqualTo(3);
    assertThat(Percentiles.ofSorted(sorted, 2, 6, 75)).isEqualTo(50);
    assertThat(Percentiles.ofSorted(new double[] {0.5, 1.5, 9}, 50)).isEqualTo(1.5);
  }

  @Test
  void takesTheMedianOfValuesInAnyOrderAndLeavesTheirOrder() {
    double[] values = {9, 0.5, 70, 1.5};

    assertThat(Percentiles.median(values)).isEqualTo(1.5);
    assertThat(values).containsExactly(9, 0.5, 70, 1.5);
    assertThat(Percentiles.median(new double[] {3, 1, 2})).isEqualTo(2);
    assertThat(Percentiles.median(new double[0])).isNaN();
  }
}
