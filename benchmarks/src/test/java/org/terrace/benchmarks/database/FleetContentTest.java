package org.terrace.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.benchmarks.database.FleetContent.Effects;

class FleetContentTest {
  private static final Effects BEFORE = new Effects(2_000, 100);

  @Test
  void effectsAreThoseThatWereAcknowledged() {
    assertThat(new Effects(2_010, 110).wrong(BEFORE, 10, 0)).isZero();
    assertThat(new Effects(2_011, 111).wrong(BEFORE, 10, 1)).isZero();
  }

  @Test
  void aLostADoubledAndAHalfEffectAreWrong() {
    assertThat(new Effects(2_009, 109).wrong(BEFORE, 10, 0)).isPositive();
    assertThat(new Effects(2_011, 111).wrong(BEFORE, 10, 0)).isPositive();
    assertThat(new Effects(2_010, 109).wrong(BEFORE, 9, 1)).isPositive();
  }
}
