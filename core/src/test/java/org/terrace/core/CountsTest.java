package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountsTest {
  @Test
  void oneAloneIsInTheSingular() {
    assertThat(Counts.of(0, "trial")).isEqualTo("0 trials");
    assertThat(Counts.of(1, "trial")).isEqualTo("1 trial");
    assertThat(Counts.of(1_200, "trial")).isEqualTo("1,200 trials");
  }
}
