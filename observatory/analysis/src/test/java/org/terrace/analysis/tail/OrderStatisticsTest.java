package org.terrace.analysis.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.testing.Seeds;

class OrderStatisticsTest {
  @ParameterizedTest
  @CsvSource({
    "10000, 99, 9873, 9926",
    "2243, 99, 2208, 2233",
    "1000, 99, 981, 998",
    "10000, 99.9, 9981, 9998"
  })
  void ranksAreThoseOfTheBinomialDistribution(int count, double percentile, int low, int high) {
    PercentileInterval interval = OrderStatistics.interval(ranks(count), percentile, 0.99);

    assertThat(interval.lowRank()).isEqualTo(low);
    assertThat(interval.highRank()).isEqualTo(high);
    assertThat(interval.lowNanos()).isEqualTo(low);
    assertThat(interval.highNanos()).isEqualTo(high);
  }

  @Test
  void tooFewValuesHaveNoFiniteBoundAndSayHowManyWould() {
    PercentileInterval few = OrderStatistics.interval(ranks(527), 99, 0.99);

    assertThat(few.isBounded()).isFalse();
    assertThat(few.highNanos()).isNull();
    assertThat(few.describe()).contains("no finite bound at n = 527").contains("n >= 528");
    assertThat(OrderStatistics.interval(ranks(528), 99, 0.99).highRank()).isEqualTo(528);
    assertThat(OrderStatistics.leastCount(99.9, 0.99)).isEqualTo(5_296);
  }

  @Test
  void aSingleValueHasNoBoundOnEitherSide() {
    PercentileInterval one = OrderStatistics.interval(new long[] {7}, 50, 0.99);

    assertThat(one.valueNanos()).isEqualTo(7);
    assertThat(one.lowNanos()).isNull();
    assertThat(one.highNanos()).isNull();
  }

  @Test
  void theIntervalHoldsTheTruePercentileAsOftenAsItPromises() {
    RandomGenerator random = Seeds.generator(Seeds.next("OrderStatisticsTest.coverage"));
    double truth = -1e6 * Math.log(1 - 0.99);
    int trials = 2_000;
    int held = 0;
    for (int trial = 0; trial < trials; trial++) {
      long[] sample =
          LongStream.generate(() -> (long) (-1e6 * Math.log(1 - random.nextDouble())))
              .limit(1_000)
              .sorted()
              .toArray();
      PercentileInterval interval = OrderStatistics.interval(sample, 99, 0.95);
      held += interval.lowNanos() <= truth && truth < interval.highNanos() ? 1 : 0;
    }

    // The ranks hold it with a probability of 0.976: less than one of a million builds is outside.
    assertThat((double) held / trials).isBetween(0.94, 0.9935);
  }

  @Test
  void noSampleExceedsItsCeilingsAndTheWorstSampleReachesThem() {
    long[] worst = new long[10_000];
    worst[9_999] = 1_000_000;
    Moments moments = Moments.of(worst);

    assertThat(Ceilings.ofMaximum(10_000)).isCloseTo(99.99, within(1e-9));
    assertThat(moments.z(1_000_000)).isCloseTo(99.99, within(1e-6));
    assertThat(Ceilings.ofRank(10_000, 10_000)).isCloseTo(Ceilings.ofMaximum(10_000), within(1e-9));
    assertThat(Ceilings.ofPercentile(99)).isCloseTo(9.95, within(0.001));
    assertThat(Ceilings.ofPercentileOverMean(99)).isCloseTo(100, within(1e-9));
    long[] hundred = new long[10_000];
    Arrays.fill(hundred, 9_899, 10_000, 1_000);
    assertThat(Moments.of(hundred).z(1_000))
        .isCloseTo(Ceilings.ofRank(9_900, 10_000), within(1e-6));
  }

  private static long[] ranks(int count) {
    return LongStream.rangeClosed(1, count).toArray();
  }
}
