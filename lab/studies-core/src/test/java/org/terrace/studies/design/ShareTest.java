package org.terrace.studies.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ShareTest {
  private static void assertInterval(int part, int all, double low, double high) {
    Share share = new Share(part, all);
    assertThat(share.low()).as(share.describe()).isCloseTo(low, within(5e-5));
    assertThat(share.high()).as(share.describe()).isCloseTo(high, within(5e-5));
  }

  /** The published intervals of Clopper and Pearson, as R's binom.test prints them. */
  @Test
  void theIntervalIsThatOfClopperAndPearson() {
    assertInterval(0, 20, 0, 0.1684);
    assertInterval(1, 20, 0.0013, 0.2487);
    assertInterval(4, 20, 0.0573, 0.4366);
    assertInterval(10, 10, 0.6915, 1);
    assertInterval(50, 100, 0.3983, 0.6017);
  }

  @Test
  void manyCasesDoNotUnderflow() {
    Share most = new Share(900, 1_000);

    assertThat(most.low()).isBetween(0.87, 0.9);
    assertThat(most.high()).isBetween(0.9, 0.92);
  }

  @Test
  void noCasesTellNothing() {
    assertInterval(0, 0, 0, 1);
  }
}
