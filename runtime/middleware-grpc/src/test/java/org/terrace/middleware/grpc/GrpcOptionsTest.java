package org.terrace.middleware.grpc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GrpcOptionsTest {
  @Test
  void policiesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new GrpcOptions.Hedge(6, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 to 5");
    assertThatThrownBy(() -> new GrpcOptions.Retry(2, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
