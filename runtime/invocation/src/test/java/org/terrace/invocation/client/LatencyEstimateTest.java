package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyEstimateTest {
  private static final long MILLI = 1_000_000;
  private final LatencyEstimate estimate = new LatencyEstimate();

  private void add(int times, long nanos) {
    for (int i = 0; i < times; i++) {
      estimate.add(nanos);
    }
  }

  @Test
  void aFewSamplesMakeNoEstimate() {
    add(99, MILLI);

    assertThat(estimate.nanos()).isZero();
  }

  @Test
  void itLiesAboveNineteenOfTwentyLatencies() {
    for (int i = 0; i < 500; i++) {
      add(1, i % 16 == 0 ? 8 * MILLI : MILLI);
    }
    assertThat(estimate.nanos()).isBetween(8 * MILLI, 9 * MILLI);

    for (int i = 0; i < 1_500; i++) {
      add(1, i % 32 == 0 ? 8 * MILLI : MILLI);
    }
    assertThat(estimate.nanos()).isBetween(MILLI, 5 * MILLI / 4);
  }

  @Test
  void aColdStartIsForgottenAfterAThousandCalls() {
    add(200, 20 * MILLI);
    assertThat(estimate.nanos()).isGreaterThan(15 * MILLI);

    add(1_500, MILLI);

    assertThat(estimate.nanos()).isLessThan(2 * MILLI);
  }
}
