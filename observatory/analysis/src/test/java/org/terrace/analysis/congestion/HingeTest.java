package org.terrace.analysis.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HingeTest {

  @Test
  void fitsAHingeWithoutNoiseExactly() {
    double[] x = {1, 2, 3, 4, 5, 6, 7, 8};
    double[] y = Arrays.stream(x).map(v -> 3 * Math.min(v, 5)).toArray();
    Hinge hinge = new Hinge(8);

    hinge.fit(x, y, 8);

    assertThat(hinge.knee).isEqualTo(5);
    assertThat(hinge.slope).isEqualTo(3);
    assertThat(hinge.error).isZero();
    assertThat(Hinge.lineError(x, new double[] {4, 5, 6, 7, 8, 9, 10, 11}, 8)).isZero();
  }
}
