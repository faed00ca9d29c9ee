package org.terrace.benchmarks.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ZipfTest {
  private static final int DRAWS = 200_000;

  @Test
  void theMostPopularObjectIsDrawnAsOftenAsZipfsLawSays() {
    Zipf zipf = new Zipf(4);
    SplittableRandom random = new SplittableRandom(1);
    double[] drawn = new double[4];
    for (int i = 0; i < DRAWS; i++) {
      drawn[zipf.next(random)]++;
    }

    double sum = 1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0;
    for (int rank = 0; rank < 4; rank++) {
      assertThat(drawn[rank] / DRAWS).isCloseTo(1 / (rank + 1.0) / sum, within(0.01));
    }
  }
}
