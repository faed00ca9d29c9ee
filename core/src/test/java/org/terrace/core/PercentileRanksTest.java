package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class PercentileRanksTest {
  private static final double[] TAILS = {0.005, 0.025, 0.05};

  /** The sums of the binomial distribution in exact numbers. */
  @Test
  void ranksAreThoseOfTheExactDistribution() {
    for (int count = 1; count <= 60; count++) {
      for (int percentile : new int[] {1, 25, 50, 90, 99}) {
        for (double tail : TAILS) {
          PercentileRanks ranks = PercentileRanks.of(count, percentile, tail);

          assertThat(ranks)
              .as("%d values, percentile %d, tail %s", count, percentile, tail)
              .isEqualTo(
                  new PercentileRanks(
                      quantile(count, percentile, BigDecimal.valueOf(tail)),
                      quantile(count, percentile, BigDecimal.ONE.subtract(BigDecimal.valueOf(tail)))
                          + 1));
        }
      }
    }
  }

  private static int quantile(int count, int percentile, BigDecimal probability) {
    BigDecimal below = BigDecimal.ZERO;
    BigInteger ways = BigInteger.ONE;
    for (int successes = 0; ; successes++) {
      below =
          below.add(
              new BigDecimal(ways)
                  .multiply(BigDecimal.valueOf(percentile, 2).pow(successes))
                  .multiply(BigDecimal.valueOf(100 - percentile, 2).pow(count - successes)));
      if (below.compareTo(probability) >= 0) {
        return successes;
      }
      ways =
          ways.multiply(BigInteger.valueOf(count - successes))
              .divide(BigInteger.valueOf(successes + 1));
    }
  }

  @Test
  void manyValuesHaveRanksCloseToThoseOfTheNormalDistribution() {
    int count = 20_000_000;
    double spread = 1.959964 * Math.sqrt(count * 0.99 * 0.01);
    PercentileRanks ranks = PercentileRanks.of(count, 99, 0.025);

    assertThat((double) ranks.low())
        .isBetween(0.99 * count - spread - 2, 0.99 * count - spread + 2);
    assertThat((double) ranks.high())
        .isBetween(0.99 * count + spread - 2, 0.99 * count + spread + 3);
  }
}
