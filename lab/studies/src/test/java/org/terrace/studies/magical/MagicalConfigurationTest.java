package org.terrace.studies.magical;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MagicalConfigurationTest {
  private static final List<Integer> CLIENTS = List.of(1, 4, 7, 10);
  private static final List<Duration> THINKS =
      List.of(Duration.ZERO, Duration.ofMillis(20), Duration.ofMillis(40));
  private static final List<Integer> REPLIES = List.of(0, 256, 512, 1_024);

  @Test
  void allFortyEightAreDifferent() {
    assertThat(MagicalConfiguration.balanced(CLIENTS, THINKS, REPLIES, 48))
        .hasSize(48)
        .doesNotHaveDuplicates();
  }

  @Test
  void eachDozenHoldsEachValueEquallyOften() {
    List<MagicalConfiguration> all = MagicalConfiguration.balanced(CLIENTS, THINKS, REPLIES, 48);
    for (int from = 0; from < all.size(); from += 12) {
      List<MagicalConfiguration> dozen = all.subList(from, from + 12);
      assertThat(counts(dozen, MagicalConfiguration::clients)).containsOnly(3L);
      assertThat(counts(dozen, MagicalConfiguration::replyBytes)).containsOnly(3L);
      assertThat(counts(dozen, MagicalConfiguration::think)).containsOnly(4L);
      assertThat(counts(dozen, each -> each.clients() + "/" + each.think())).containsOnly(1L);
      assertThat(counts(dozen, each -> each.clients() + "/" + each.replyBytes())).containsOnly(1L);
    }
  }

  private static List<Long> counts(
      List<MagicalConfiguration> of, Function<MagicalConfiguration, Object> property) {
    return List.copyOf(
        of.stream().collect(Collectors.groupingBy(property, Collectors.counting())).values());
  }
}
