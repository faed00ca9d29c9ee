package org.terrace.studies.magical;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
  private static final List<Integer> CLIENTS = List.of(1, 4, 7, 10);
  private static final List<Duration> THINKS =
      List.of(Duration.ZERO, Duration.ofMillis(20), Duration.ofMillis(40));
  private static final List<Integer> REPLIES = List.of(0, 256, 512, 1_024);

  @Test
  void allFortyEightAreDifferent() {
    assertThat(Configuration.balanced(CLIENTS, THINKS, REPLIES, 48))
        .hasSize(48)
        .doesNotHaveDuplicates();
  }

  @Test
  void eachDozenHoldsEachValueEquallyOften() {
    List<Configuration> all = Configuration.balanced(CLIENTS, THINKS, REPLIES, 48);
    for (int from = 0; from < all.size(); from += 12) {
      List<Configuration> dozen = all.subList(from, from + 12);
      assertThat(counts(dozen, Configuration::clients)).containsOnly(3L);
      assertThat(counts(dozen, Configuration::replyBytes)).containsOnly(3L);
      assertThat(counts(dozen, Configuration::think)).containsOnly(4L);
      assertThat(counts(dozen, each -> each.clients() + "/" + each.think())).containsOnly(1L);
      assertThat(counts(dozen, each -> each.clients() + "/" + each.replyBytes())).containsOnly(1L);
    }
  }

  private static List<Long> counts(
      List<Configuration> of, Function<Configuration, Object> property) {
    return List.copyOf(
        of.stream().collect(Collectors.groupingBy(property, Collectors.counting())).values());
  }
}
