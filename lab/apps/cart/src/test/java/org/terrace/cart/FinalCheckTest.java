package org.terrace.cart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FinalCheckTest {
  private static FinalCheck check(int replicas, List<String> unreachable, List<String> gone) {
    return new FinalCheck(replicas, unreachable, gone, 0, 0, 1);
  }

  @Test
  void aReplicaThatCannotBeAskedFailsUnlessItIsKnownToBeGone() {
    assertThat(check(3, List.of(), List.of()).isGood()).isTrue();
    assertThat(check(2, List.of("app2"), List.of()).isGood()).isFalse();
    assertThat(check(2, List.of("app2"), List.of("app2")).isGood()).isTrue();
    assertThat(check(1, List.of("app2", "app3"), List.of("app2")).isGood()).isFalse();
    assertThat(check(0, List.of("app1"), List.of("app1")).isGood()).isFalse();
    assertThat(new FinalCheck(3, List.of(), List.of(), 1, 0, 1).isGood()).isFalse();
    assertThat(new FinalCheck(3, List.of(), List.of(), 0, 1, 1).isGood()).isFalse();
  }
}
