package org.terrace.microbenchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class RatioTest {
  @Test
  void theIntervalIsStudentsOfTheLogarithms() {
    // Logarithms ln 1.1, ln 1.2, ln 1.3: mean 0.180000, deviation 0.083545; the quantile of
    // Student's t for 0.995 with two degrees of freedom is 9.924843 in the published tables.
    Ratio ratio = Ratio.of(List.of(100.0, 200.0, 300.0), List.of(110.0, 240.0, 390.0));

    double mean = (Math.log(1.1) + Math.log(1.2) + Math.log(1.3)) / 3;
    double reach = 9.924843 * 0.0835452 / Math.sqrt(3);
    assertThat(ratio.ratio()).isEqualTo(Math.exp(mean), within(1e-9));
    assertThat(ratio.low()).isEqualTo(Math.exp(mean - reach), within(1e-4));
    assertThat(ratio.high()).isEqualTo(Math.exp(mean + reach), within(1e-4));
    assertThat(ratio.pairs()).isEqualTo(3);
    assertThat(ratio.verdict()).isEqualTo(Ratio.Verdict.CANNOT_TELL);
  }

  @Test
  void whatSlowsBothRunsOfAPairDownCancels() {
    Ratio ratio = Ratio.of(List.of(10.0, 20.0, 40.0), List.of(11.01, 22.0, 43.99));

    assertThat(ratio.verdict()).isEqualTo(Ratio.Verdict.SLOWER);
    assertThat(ratio.ratio()).isEqualTo(1.1, within(0.001));
  }

  @Test
  void fasterIsTheMirrorOfSlower() {
    List<Double> some = List.of(10.0, 10.1, 9.9, 10.05);
    List<Double> others = List.of(12.0, 12.2, 11.9, 12.1);

    Ratio there = Ratio.of(some, others);
    Ratio back = Ratio.of(others, some);
    assertThat(there.verdict()).isEqualTo(Ratio.Verdict.SLOWER);
    assertThat(back.verdict()).isEqualTo(Ratio.Verdict.FASTER);
    assertThat(back.low()).isEqualTo(1 / there.high(), within(1e-12));
  }

  @Test
  void theIntervalMissesTheTruthInOneOfAHundred() {
    long seed = Seeds.next("RatioTest");
    RandomGenerator random = Seeds.generator(seed);
    int comparisons = 20_000;
    int missed = 0;
    for (int i = 0; i < comparisons; i++) {
      List<Double> before = new ArrayList<>();
      List<Double> after = new ArrayList<>();
      for (int pair = 0; pair < 5; pair++) {
        double machine = Math.exp(random.nextGaussian());
        before.add(machine * Math.exp(0.05 * random.nextGaussian()));
        after.add(1.02 * machine * Math.exp(0.05 * random.nextGaussian()));
      }
      Ratio ratio = Ratio.of(before, after);
      if (ratio.low() > 1.02 || ratio.high() < 1.02) {
        missed++;
      }
    }
    // A binomial count with p = 0.01: less than one of a million builds is outside.
    assertThat(missed).isBetween(200 - 75, 200 + 75);
  }

  @Test
  void whatIsNoPairIsRefused() {
    assertThatThrownBy(() -> Ratio.of(List.of(1.0), List.of(1.0)))
        .hasMessageContaining("two pairs or more");
    assertThatThrownBy(() -> Ratio.of(List.of(1.0, 2.0), List.of(1.0)))
        .hasMessageContaining("2 old and 1 new");
    assertThatThrownBy(() -> Ratio.of(List.of(1.0, 0.0), List.of(1.0, 1.0)))
        .hasMessageContaining("positive");
  }
}
