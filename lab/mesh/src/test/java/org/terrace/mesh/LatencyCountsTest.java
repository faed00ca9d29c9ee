package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.testing.Seeds;

class LatencyCountsTest {
  @Test
  void aHistogramKnowsHowManyWereWithinAnyThresholdToABin() {
    RandomGenerator random = Seeds.generator(Seeds.next("LatencyCountsTest"));
    LatencyCounts counts = new LatencyCounts();
    long[] nanos = new long[2_000];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = (long) Math.exp(random.nextDouble(0, Math.log(1e11)));
      counts.add(nanos[i]);
    }
    Arrays.sort(nanos);

    LatencyHistogram histogram = counts.histogram();

    assertThat(histogram.total()).isEqualTo(nanos.length);
    double step = 1 + 1.0 / LatencyCounts.STEPS;
    for (int i = 0; i < nanos.length; i += 20) {
      double micros = Math.ceil(nanos[i] / 1e3);
      // A bin ends at most a step above whatever it holds, and begins at most a step below.
      assertThat(histogram.atMost(micros * step + 1)).isGreaterThanOrEqualTo(i + 1);
      assertThat(histogram.atMost(micros / step - 1)).isLessThanOrEqualTo(within(nanos, micros));
    }
  }

  private static double within(long[] nanos, double micros) {
    return (double) Arrays.stream(nanos).filter(each -> (double) each <= micros * 1e3).count();
  }

  @Test
  void onlyBinsThatHoldSomethingAreTold() {
    LatencyCounts counts = new LatencyCounts();
    assertThat(counts.histogram()).isEqualTo(LatencyHistogram.of(new double[0], new long[1]));
    counts.add(0);
    counts.add(1_500_000);
    counts.add(1_500_000);

    assertThat(counts.histogram())
        .isEqualTo(LatencyHistogram.of(new double[] {1, 1_472, 1_504}, new long[] {1, 0, 2, 0}));
    assertThat(counts.histogram().atMost(1_472)).isEqualTo(1);
  }
}
