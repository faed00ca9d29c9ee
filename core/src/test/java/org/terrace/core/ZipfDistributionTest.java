package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfDistributionTest {
  private static final int DRAWS = 200_000;

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, 2})
  void eachRankIsDrawnAsOftenAsZipfsLawSays(double exponent) {
    ZipfDistribution zipf = new ZipfDistribution(4, exponent);
    SplittableRandom random = new SplittableRandom(1);
    double[] drawn = new double[4];
    for (int i = 0; i < DRAWS; i++) {
      drawn[zipf.next(random)]++;
    }

    double sum = 0;
    for (int rank = 1; rank <= 4; rank++) {
      sum += Math.pow(rank, -exponent);
    }
    for (int rank = 1; rank <= 4; rank++) {
      assertThat(drawn[rank - 1] / DRAWS).isCloseTo(Math.pow(rank, -exponent) / sum, within(0.01));
    }
  }

  @Test
  void thereIsARank() {
    assertThatThrownBy(() -> new ZipfDistribution(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 ranks");
  }
}
