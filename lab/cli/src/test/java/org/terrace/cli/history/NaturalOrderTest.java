package org.terrace.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NaturalOrderTest {
  @Test
  void numbersWithinNamesAreCounted() {
    List<String> names =
        List.of("run-10", "run-9", "run-9a", "2026-11-02", "2026-2-30", "run-009", "run", "b");

    assertThat(names.stream().sorted(new NaturalOrder()))
        .containsExactly(
            "2026-2-30", "2026-11-02", "b", "run", "run-009", "run-9", "run-9a", "run-10");
  }
}
