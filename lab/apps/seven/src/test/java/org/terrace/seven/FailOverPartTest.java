package org.terrace.seven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.invocation.FailOverOptions;

class FailOverPartTest {
  private static FailOverOptions of(String... flag) {
    return ServerArguments.failOver(Flags.of(flag));
  }

  @Test
  void everyPartIsTurnedOnByItsNameAlone() {
    FailOverOptions none = FailOverOptions.none();

    assertThat(of("--fail-over", "prompt-notice")).isEqualTo(none.withPromptNotice(true));
    assertThat(of("--fail-over", "other-replicas")).isEqualTo(none.withOtherReplicas(true));
    assertThat(of("--fail-over", "warm-connections")).isEqualTo(none.withWarmConnections(true));
    assertThat(of("--fail-over", "database-pool")).isEqualTo(none.withDatabasePool(true));
    assertThat(of("--fail-over", "load-balancing")).isEqualTo(none.withLoadBalancing(true));
    assertThat(of("--fail-over", "trusted-identity")).isEqualTo(none.withTrustedIdentity(true));
  }

  @Test
  void allIsTheDefaultAndPartsAddUp() {
    assertThat(of()).isEqualTo(FailOverOptions.all());
    assertThat(of("--fail-over", "all")).isEqualTo(FailOverOptions.all());
    assertThat(of("--fail-over", "none")).isEqualTo(FailOverOptions.none());
    assertThat(of("--fail-over", "database-pool,prompt-notice"))
        .isEqualTo(FailOverOptions.none().withDatabasePool(true).withPromptNotice(true));
  }

  @Test
  void anUnknownPartIsRefusedWithTheOnesThereAre() {
    for (String text : new String[] {"3", "", "all,none", "prompt-notice,", "PROMPT_NOTICE"}) {
      assertThatThrownBy(() -> of("--fail-over", text))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("--fail-over")
          .hasMessageContaining("trusted-identity");
    }
  }
}
