package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;

class MachineLimitsTest {
  @Test
  void tooFewDescriptorsOrPortsAreSaidBeforeTheFirstConnection() {
    assertThatThrownBy(() -> MachineLimits.checkDescriptors(13_000, 1024))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("ulimit -n 13100");
    assertThatThrownBy(() -> MachineLimits.checkPorts(60_000, 1, 28_232))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("give 3 source addresses");
    MachineLimits.checkDescriptors(13_000, 20_000);
    MachineLimits.checkPorts(60_000, 3, 28_232);
  }
}
