package org.terrace.studies.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class CorrelationTest {
  @Test
  void theIntervalOfFisherIsTheOneOfTheTextbook() {
    double[] x = new double[28];
    double[] y = new double[28];
    for (int i = 0; i < x.length; i++) {
      x[i] = i;
      y[i] = i % 2 == 0 ? i : -i;
    }
    Correlation found = Correlation.pearson(x, y, 0.95);
    double z = Math.log((1 + found.coefficient()) / (1 - found.coefficient())) / 2;

    assertThat(found.low()).isCloseTo(Math.tanh(z - 1.959964 / 5), within(1e-6));
    assertThat(found.high()).isCloseTo(Math.tanh(z + 1.959964 / 5), within(1e-6));
    assertThat(found.isSignificant()).isFalse();
  }

  @Test
  void ranksOfEqualValuesAreShared() {
    assertThat(Correlation.ranks(new double[] {5, 1, 5, 0})).containsExactly(3.5, 2, 3.5, 1);
    assertThat(
            Correlation.spearman(new double[] {1, 2, 3, 4}, new double[] {1, 10, 99, 1e6}, 0.95)
                .coefficient())
        .isCloseTo(1, within(1e-12));
  }

  @Test
  void seriesThatLingerAreNotTakenForIndependentPairs() {
    RandomGenerator random = Seeds.generator(Seeds.next("CorrelationTest.linger"));
    int trials = 200;
    int apart = 0;
    int series = 0;
    for (int trial = 0; trial < trials; trial++) {
      double[] x = lingering(random);
      double[] y = lingering(random);
      apart += Correlation.pearson(x, y, 0.95).isSignificant() ? 0 : 1;
      series += Correlation.pearsonOfSeries(x, y, 0.95).isSignificant() ? 0 : 1;
      assertThat(Correlation.pearsonOfSeries(x, y, 0.95).independentPairs()).isLessThan(1_000);
    }

    System.out.printf("coverage of 95 %%: apart %d, series %d of %d%n", apart, series, trials);
    // Of 1,600 trials 47.8 in 100 held apart and 95.6 as series: less than one of a million builds
    // misses either bound.
    assertThat((double) apart / trials).isLessThan(0.7);
    assertThat((double) series / trials).isGreaterThan(0.84);
  }

  @Test
  void whatDoesNotVaryIsNotCorrelated() {
    Correlation none = Correlation.pearson(new double[] {1, 1, 1}, new double[] {1, 2, 3}, 0.95);

    assertThat(none.coefficient()).isZero();
    assertThat(none.low()).isEqualTo(-1);
    assertThat(none.high()).isEqualTo(1);
  }

  private static double[] lingering(RandomGenerator random) {
    double[] series = new double[1_000];
    for (int i = 1; i < series.length; i++) {
      series[i] = 0.9 * series[i - 1] + random.nextGaussian();
    }
    return series;
  }
}
