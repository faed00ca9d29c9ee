package org.terrace.analysis.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.testing.Seeds;
import org.terrace.testing.Trials;

class ParetoTailTest {
  @ParameterizedTest
  @ValueSource(doubles = {-0.2, 0, 0.3, 0.8})
  void theIntervalHoldsTheShapeThatWasPutIn(double shape) {
    RandomGenerator random = Seeds.generator(Seeds.next("ParetoTailTest." + shape));
    List<Double> shapes = new ArrayList<>();
    double held =
        Trials.share(
            200,
            1_000,
            share -> share > 0.88,
            trial -> {
              ParetoTail fit = ParetoTail.fit(sample(random, shape, 10_000), 95, 0.95);
              shapes.add(fit.shape());
              return fit.shapeLow() <= shape && shape <= fit.shapeHigh();
            });

    // Of 56,000 trials 94.5 in 100 held, and the means were within 0.012: less than one of a
    // million builds misses either bound.
    assertThat(held).isGreaterThan(0.88);
    double mean = shapes.stream().mapToDouble(each -> each).average().orElseThrow();
    assertThat(mean).isBetween(shape - 0.05, shape + 0.05);
  }

  @Test
  void aTailWithoutVarianceMakesSigmaMeaningless() {
    RandomGenerator random = Seeds.generator(Seeds.next("ParetoTailTest.infinite"));
    // So many that the interval of the highest threshold, of 500 values, is five of its standard
    // errors away from the wrong side of one half.
    List<ParetoTail> heavy = ParetoTail.table(sample(random, 1.2, 100_000), 0.95);
    List<ParetoTail> light = ParetoTail.table(sample(random, 0, 100_000), 0.95);

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
