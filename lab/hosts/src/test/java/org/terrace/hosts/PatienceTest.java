package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The minute that the guide gives a host, and a runner, that says nothing. */
class PatienceTest {
  @Test
  void theWordsOfTheGuideAreThoseOfTheProgram() {
    assertThat(Agent.SILENCE).isEqualTo(Duration.ofMinutes(1));
    assertThat(SshAgent.PATIENCE).isEqualTo(Duration.ofMinutes(1));
  }
}
