package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyPatternTest {
  private static List<String> topologies(String word) {
    return TopologyPattern.parse(word).orElseThrow().topologies();
  }

  @Test
  void rangesStepsAndSetsAreMultipliedOut() {
    assertThat(topologies("1/2/0/1")).containsExactly("1/2/0/1");
    assertThat(topologies("1/{1..2}/1/{2,4}"))
        .containsExactly("1/1/1/2", "1/1/1/4", "1/2/1/2", "1/2/1/4");
    assertThat(topologies("0/{1..9..4}/0/1")).containsExactly("0/1/0/1", "0/5/0/1", "0/9/0/1");
    assertThat(topologies("1/{1..3}/1/{1..9}")).hasSize(27);
    assertThat(topologies("1/{2,2,3}/0/1")).containsExactly("1/2/0/1", "1/3/0/1");
  }

  @Test
  void lettersNameTheDatabaseAndItsNodes() {
    TopologyPattern plain = TopologyPattern.parse("1/1/0/1").orElseThrow();
    assertThat(plain.database()).isEmpty();
    assertThat(plain.lowCost()).isFalse();
    TopologyPattern low = TopologyPattern.parse("1/{1..3}/1/{1..9}ML").orElseThrow();
    assertThat(low.database()).isEqualTo(Optional.of("mariadb"));
    assertThat(low.lowCost()).isTrue();
    assertThat(TopologyPattern.parse("1/1/1/1P").orElseThrow().database())
        .isEqualTo(Optional.of("postgresql"));
    assertThat(TopologyPattern.parse("1/2/2/4N").orElseThrow().database())
        .isEqualTo(Optional.of("ndb-like"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1/1/1",
        "1/1/1/1/1",
        "1/{3..1}/0/1",
        "1/{1..3..0}/0/1",
        "1/{}/0/1",
        "1/{1,}/0/1",
        "1/1/0/1LM",
        "1/1/0/1X",
        "1/-1/0/1",
        "1/100/0/1",
        " 1/1/0/1",
        "1/{1..2/0/1"
      })
  void whatIsNotOfTheFormIsNothing(String word) {
    assertThat(TopologyPattern.parse(word)).isEmpty();
  }
}
