package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.process.JavaCommand;

/** An agent's heap and what its monitors may keep in it. */
@Timeout(300)
@Tag("real-processes")
@Tag("untimed")
class FullAgentTest {
  /** At one server 500 samples a second for an hour, or a stretch each 50 ms for two. */
  @ParameterizedTest
  @CsvSource({"samples, 2000000, 0", "events, 0, 140000"})
  void anAgentWhoseRoomIsFullHandsAllOfItOver(String kind, int leastSamples, int leastEvents)
      throws Exception {
    Process agent =
        new ProcessBuilder(JavaCommand.of(NamespaceAgents.OPTIONS, FullAgent.class, kind))
            .redirectErrorStream(true)
            .start();
    String said = new String(agent.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

    assertThat(agent.waitFor()).as(said).isZero();
    String[] numbers = said.split(" ", -1);
    assertThat(Integer.parseInt(numbers[0])).isGreaterThanOrEqualTo(leastSamples);
    assertThat(Integer.parseInt(numbers[1])).isGreaterThanOrEqualTo(leastEvents);
    assertThat(Integer.parseInt(numbers[2]))
        .isEqualTo(Integer.parseInt(numbers[0]) + Integer.parseInt(numbers[1]));
  }
}
