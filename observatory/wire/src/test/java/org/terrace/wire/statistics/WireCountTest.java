package org.terrace.wire.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sentences that a reader of a report or of a terminal is told. */
class WireCountTest {
  @ParameterizedTest
  @EnumSource(WireCount.class)
  void oneAndSeveralAreToldApart(WireCount count) {
    String one = count.sentence(1);
    String several = count.sentence(1_234);

    assertThat(one).endsWith(".").doesNotContainPattern("[{}|%]").contains("1 ");
    assertThat(several).endsWith(".").doesNotContainPattern("[{}|%]").contains("1,234 ");
    assertThat(one.replaceFirst("\\b1 ", "")).isNotEqualTo(several.replaceFirst("1,234 ", ""));
    assertThat(one)
        .doesNotContainPattern(
            "\\b1 (TCP |IP |connection )?(packets|requests|connections|bytes|segments|times)\\b");
    assertThat(several)
        .doesNotContainPattern(
            "1,234 (TCP |IP )?(packet|request|connection(?! attempts)|byte|segment|time)\\b");
  }
}
