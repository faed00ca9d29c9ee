package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.setting.ProcessorLimit;

class CalibratedLimitsTest {
  @Test
  void aSlowerMachineGivesMoreOfItsOwnCoresWhereLimitsAreCalibratedOnly() {
    Experiment written =
        PlainExperiments.of(
            new Topology(1, 2, 0, 1),
            List.of(),
            Map.of("app", new ProcessorLimit(0.5, true), "app2", new ProcessorLimit(2, false)));

    Experiment here = written.on(1.5);

    assertThat(written.isCalibrated()).isTrue();
    assertThat(here.isCalibrated()).isFalse();
    assertThat(here.cpuLimit(Tier.APP, 1)).hasValue(0.75);
    assertThat(here.cpuLimit(Tier.APP, 2)).hasValue(2);
    assertThat(here.cpuLimit(Tier.WEB, 1)).isEmpty();
    assertThat(here.topology()).isEqualTo(written.topology());
  }
}
