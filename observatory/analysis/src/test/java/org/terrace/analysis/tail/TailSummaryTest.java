package org.terrace.analysis.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.Percentiles;
import org.terrace.testing.Seeds;

class TailSummaryTest {
  @Test
  void figuresOfASmallSampleAreThoseWorkedOutByHand() {
    TailSummary tail = TailSummary.of(new long[] {4, 2, 100, 3, 1}, 1);

    assertThat(tail.moments().meanNanos()).isCloseTo(22, within(1e-9));
    assertThat(tail.moments().sigmaNanos()).isCloseTo(Math.sqrt(7_610 / 4.0), within(1e-9));
    assertThat(tail.p50Nanos()).isEqualTo(3);
    assertThat(tail.medianDeviationNanos()).isEqualTo(1);
    assertThat(tail.maxOverP50()).isCloseTo(100 / 3.0, within(1e-9));
    assertThat(tail.p99OverMean()).isCloseTo(100 / 22.0, within(1e-9));
    assertThat(tail.sigmaOutliers().count()).as("3 sigma is masked by its own outlier").isZero();
    assertThat(tail.medianOutliers().count()).isEqualTo(1);
    assertThat(tail.maxZ()).isLessThan(tail.maxZCeiling());
    assertThat(tail.p99().isBounded()).isFalse();
    assertThat(tail.p99Blocks().high()).isInfinite();
    assertThat(tail.tail()).isNull();
  }

  @Test
  void equalLatenciesHaveNoOutliersAndNoDivisionByZero() {
    long[] equal = new long[1_000];
    TailSummary zeros = TailSummary.of(equal, 1);

    assertThat(zeros.maxZ()).isZero();
    assertThat(zeros.p99OverMean()).isZero();
    assertThat(zeros.maxOverP50()).isZero();
    assertThat(zeros.sigmaOutliers().count()).isZero();
  }

  @Test
  void noSampleExceedsTheCeilingsPrintedBesideIt() {
    RandomGenerator random = Seeds.generator(Seeds.next("TailSummaryTest.ceilings"));
    for (int trial = 0; trial < 100; trial++) {
      double shape = 3 * random.nextDouble();
      long[] sample = new long[600 + random.nextInt(2_000)];
      Arrays.setAll(
          sample, i -> (long) Math.min(1e15, 1e6 * Math.pow(1 - random.nextDouble(), -shape)));
      TailSummary tail = TailSummary.of(sample, trial);
      int rank = Percentiles.rank(sample.length, 99);

      assertThat(tail.maxZ()).isLessThanOrEqualTo(tail.maxZCeiling() * (1 + 1e-9));
      assertThat(tail.p99Z())
          .isLessThanOrEqualTo(Ceilings.ofRank(rank, sample.length) * (1 + 1e-9));
      assertThat(tail.p99OverMean())
          .isLessThanOrEqualTo(Ceilings.ofPercentileOverMean(99) * (1 + 1e-9));
      assertThat(tail.p99Blocks().low()).isLessThanOrEqualTo((double) tail.p99().lowNanos());
      assertThat(tail.p99Blocks().high()).isGreaterThanOrEqualTo((double) tail.p99().highNanos());
    }
  }

  @Test
  void latenciesAreNotChanged() {
    long[] inOrder = {5, 3, 9, 1};

    TailSummary.of(inOrder, 1);

    assertThat(inOrder).containsExactly(5, 3, 9, 1);
  }
}
