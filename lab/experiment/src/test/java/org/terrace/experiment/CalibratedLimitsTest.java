package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.experiment.spec.SpecificationReader;

class CalibratedLimitsTest {
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: limits
      topology: 1/2/0/1
      load: {closed: {users: 10, think: exp(2s)}, mix: browse-only}
      phases: {run: 10s}
      limits: {app: {cpu: 0.5, calibrated: true}, app2: {cpu: 2}}
      """;

  @Test
  void aSlowerMachineGivesMoreOfItsOwnCoresWhereLimitsAreCalibratedOnly() {
    Experiment written = SpecificationReader.read("limits.yaml", SPECIFICATION);

    Experiment here = written.on(1.5);

    assertThat(written.isCalibrated()).isTrue();
    assertThat(here.isCalibrated()).isFalse();
    assertThat(here.cpuLimit(Tier.APP, 1)).hasValue(0.75);
    assertThat(here.cpuLimit(Tier.APP, 2)).hasValue(2);
    assertThat(here.cpuLimit(Tier.WEB, 1)).isEmpty();
    assertThat(here.topology()).isEqualTo(written.topology());
  }
}
