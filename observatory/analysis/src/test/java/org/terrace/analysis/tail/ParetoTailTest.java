package org.terrace.analysis.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.testing.Seeds;

class ParetoTailTest {
  @ParameterizedTest
  @ValueSource(doubles = {-0.2, 0, 0.3, 0.8})
  void theIntervalHoldsTheShapeThatWasPutIn(double shape) {
    RandomGenerator random = Seeds.generator(Seeds.next("ParetoTailTest." + shape));
    int trials = 200;
    int held = 0;
    double sum = 0;
    for (int trial = 0; trial < trials; trial++) {
      ParetoTail fit = ParetoTail.fit(sample(random, shape, 10_000), 95, 0.95);
      held += fit.shapeLow() <= shape && shape <= fit.shapeHigh() ? 1 : 0;
      sum += fit.shape();
    }

    assertThat((double) held / trials).isGreaterThan(0.88);
    assertThat(sum / trials).isBetween(shape - 0.05, shape + 0.05);
  }

  @Test
  void aTailWithoutVarianceMakesSigmaMeaningless() {
    RandomGenerator random = Seeds.generator(Seeds.next("ParetoTailTest.infinite"));
    List<ParetoTail> heavy = ParetoTail.table(sample(random, 1.2, 20_000), 0.95);
    List<ParetoTail> light = ParetoTail.table(sample(random, 0, 20_000), 0.95);

    assertThat(ParetoTail.chosen(heavy).verdict()).contains("meaningless");
    assertThat(ParetoTail.chosen(light).verdict()).contains("the variance is finite");
    assertThat(heavy).hasSize(ParetoTail.THRESHOLDS.size());
  }

  @Test
  void fewExceedancesAreNotFitted() {
    long[] equal = new long[1_000];
    Arrays.fill(equal, 5);

    assertThat(ParetoTail.table(equal, 0.95)).isEmpty();
    assertThat(ParetoTail.chosen(List.of())).isNull();
    assertThat(ParetoTail.fit(new long[] {1, 2, 3}, 90, 0.95)).isNull();
  }

  private static long[] sample(RandomGenerator random, double shape, int count) {
    long[] sample = new long[count];
    for (int i = 0; i < count; i++) {
      double exponential = -Math.log(1 - random.nextDouble());
      double value = shape == 0 ? exponential : Math.expm1(shape * exponential) / shape;
      sample[i] = 1_000_000 + (long) (1e6 * Math.min(value, 1e12));
    }
    Arrays.sort(sample);
    return sample;
  }
}
