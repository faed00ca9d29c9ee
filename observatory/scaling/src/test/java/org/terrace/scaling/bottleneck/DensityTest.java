package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class DensityTest {
  @Test
  void noMassIsLostAtTheLimit() {
    double[] full = new double[60];
    Arrays.fill(full, 1);
    Density density = Density.of(full, 0.95);

    double mass = 0;
    for (int i = 1; i < Density.POINTS; i++) {
      mass += (density.value(i - 1) + density.value(i)) / 2 * 100 / (Density.POINTS - 1);
    }
    assertThat(mass).isCloseTo(1, within(0.01));
    assertThat(density.saturatedMass()).isEqualTo(1);
    assertThat(density.modes()).hasSize(1);
    assertThat(density.modes().getFirst().atPercent()).isEqualTo(100);
  }

  @Test
  void aShiftingBottleneckHasTwoModesAndItsMaximumOne() {
    RandomGenerator random = Seeds.generator(4);
    double[] values = new double[720];
    Arrays.setAll(
        values,
        i -> i % 40 < 20 ? 0.98 + 0.02 * random.nextDouble() : 0.4 + 0.05 * random.nextGaussian());

    assertThat(Density.of(values, 0.95).modes())
        .hasSize(2)
        .satisfies(modes -> assertThat(modes.getFirst().atPercent()).isBetween(35.0, 45.0))
        .satisfies(modes -> assertThat(modes.getLast().atPercent()).isGreaterThan(96));
  }

  @Test
  void theLawOfScalabilityIsFoundAgain() {
    ScalabilityLaw law = new ScalabilityLaw(10, 0.02, 0.0001, 0);
    List<Integer> users = List.of(10, 40, 80, 120, 200);

    ScalabilityLaw found = ScalabilityLaw.fit(users, users.stream().map(law::throughput).toList());

    assertThat(found).isNotNull();
    assertThat(found.sigma()).isCloseTo(0.02, within(1e-6));
    assertThat(found.kappa()).isCloseTo(0.0001, within(1e-8));
    assertThat(found.peak()).isCloseTo(Math.sqrt(0.98 / 0.0001), within(0.1));
    assertThat(ScalabilityLaw.fit(users.subList(0, 3), List.of(1.0, 2.0, 3.0))).isNull();
  }
}
