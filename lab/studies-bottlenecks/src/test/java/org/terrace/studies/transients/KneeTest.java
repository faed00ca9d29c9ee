package org.terrace.studies.transients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KneeTest {
  private static Windows windows(int count, double most, double slope, double capacity) {
    double[] load = new double[count];
    double[] work = new double[count];
    Arrays.setAll(load, i -> most * (i + 1) / count);
    Arrays.setAll(work, i -> Math.min(slope * load[i], capacity) / 20);
    return new Windows(50, load, work);
  }

  @Test
  void theKneeIsWhereThroughputGrowsNoMore() {
    Double knee = Knee.of(List.of(windows(600, 8, 600, 1_200)));

    assertThat(knee).isBetween(1.4, 2.1);
  }

  @Test
  void aCurveThatStillRisesHasNone() {
    assertThat(Knee.of(List.of(windows(600, 8, 600, 1e9)))).isNull();
    assertThat(Knee.of(List.of(windows(5, 8, 600, 1_200)))).isNull();
    assertThat(Knee.of(List.of())).isNull();
  }
}
