package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuLimitTest {
  @Test
  void lessThanATenthOfACoreGetsALongerPeriod() {
    assertThat(CpuLimit.cores(2)).isEqualTo(new CpuLimit(20_000, 10_000));
    assertThat(CpuLimit.cores(0.2)).isEqualTo(new CpuLimit(2_000, 10_000));
    assertThat(CpuLimit.cores(0.05)).isEqualTo(new CpuLimit(1_000, 20_000));
  }
}
