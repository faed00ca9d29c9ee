package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostFactsTest {
  private static final OptionalDouble LIMIT = OptionalDouble.of(0.35);

  private static HostFacts host(Optional<String> limitWarning) {
    Path there = Path.of("there");
    return new HostFacts(
        "m",
        "n",
        4,
        Set.of(0, 1, 2, 3),
        OptionalDouble.empty(),
        there,
        there,
        limitWarning,
        List.of(),
        Map.of());
  }

  @Test
  void aServerHasItsLimitAndNoMoreThanItsHost() {
    assertThat(host(Optional.empty()).coresWithin(LIMIT)).isEqualTo(0.35);
    assertThat(host(Optional.empty()).coresWithin(OptionalDouble.of(8))).isEqualTo(4);
    assertThat(host(Optional.empty()).coresWithin(OptionalDouble.empty())).isEqualTo(4);
  }

  /** Half of the cores in use would read as several times a limit that does not hold. */
  @Test
  void whereNoLimitHoldsAServerHasAllCores() {
    assertThat(host(Optional.of("not permitted")).coresWithin(LIMIT)).isEqualTo(4);
  }
}
