package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedNounTest {
  @Test
  void oneAloneIsInTheSingular() {
    assertThat(CountedNoun.of(0, "trial")).isEqualTo("0 trials");
    assertThat(CountedNoun.of(1, "trial")).isEqualTo("1 trial");
    assertThat(CountedNoun.of(1_200, "trial")).isEqualTo("1,200 trials");
  }
}
