package org.terrace.analysis.experience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlowStretchesTest {
  private static final long SECOND = 1_000_000_000L;

  private static ClientSeconds seconds(double[] answers, double[] p99Micros, double[] inFlight) {
    return new ClientSeconds(0, SECOND, answers, p99Micros, inFlight);
  }

  @Test
  void theUsualPercentileIsANearestRank() {
    double[] none = new double[4];

    assertThat(SlowStretches.usual(seconds(none, new double[] {40, 20, 30, 10}, none)))
        .isEqualTo(10);
    assertThat(SlowStretches.usual(seconds(none, new double[] {Double.NaN, 7, 9, 8}, none)))
        .isEqualTo(7);
    assertThat(
            SlowStretches.usual(
                seconds(none, new double[] {Double.NaN, Double.NaN, Double.NaN}, none)))
        .isNull();
  }

  @Test
  void theMedianOfAnEvenNumberOfSecondsIsTheLowerOfTheTwoInTheMiddle() {
    // The median of answers is 100: 24 in a second are hardly any, and requests pile up in it.
    double[] answers = {24, 100, 1_000, 1_000};
    double[] p99Micros = {5, 5, 5, 5};
    double[] inFlight = {30, 10, 10, 10};

    assertThat(SlowStretches.of(seconds(answers, p99Micros, inFlight), 5, List.of(), List.of()))
        .singleElement()
        .satisfies(stretch -> assertThat(stretch.heldUpSeconds()).isEqualTo(1));

    double[] more = {26, 100, 1_000, 1_000};
    assertThat(SlowStretches.of(seconds(more, p99Micros, inFlight), 5, List.of(), List.of()))
        .isEmpty();
  }
}
