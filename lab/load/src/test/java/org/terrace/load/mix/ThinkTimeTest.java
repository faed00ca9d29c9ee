package org.terrace.load.mix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.testing.Seeds;

class ThinkTimeTest {
  @Test
  void exponentialDrawsHaveTheirMeanAndNeverExceedTenTimesIt() {
    RandomGenerator random = Seeds.generator(Seeds.next("ThinkTimeTest"));
    ThinkTime think = ThinkTime.parse("exp(7s)");
    double sum = 0;
    long longest = 0;
    int capped = 0;
    int draws = 2_000_000;
    for (int i = 0; i < draws; i++) {
      long nanos = think.sampleNanos(random);
      sum += nanos;
      longest = Math.max(longest, nanos);
      capped += nanos == 70_000_000_000L ? 1 : 0;
    }

    assertThat(longest).isLessThanOrEqualTo(70_000_000_000L);
    assertThat(capped / (double) draws).isCloseTo(Math.exp(-10), within(3e-5));
    assertThat(sum / draws).isCloseTo(think.meanNanos(), within(think.meanNanos() * 0.005));
  }

  @Test
  void textAndValueAgree() {
    assertThat(ThinkTime.parse("exp(7s)")).isEqualTo(ThinkTime.RUBBOS).hasToString("exp(7s)");
    assertThat(ThinkTime.parse(" const( 1500ms ) ")).hasToString("const(1500ms)");
    assertThat(ThinkTime.parse("2m")).isEqualTo(new ThinkTime.Constant(Duration.ofMinutes(2)));
    assertThat(ThinkTime.parse("0").meanNanos()).isZero();
  }

  @Test
  void otherTextIsRefusedWithWhatWasExpected() {
    for (String text : new String[] {"exp(7)", "normal(7s)", "exp(0)", "seven seconds", "-1s"}) {
      assertThatThrownBy(() -> ThinkTime.parse(text))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("'");
    }
  }
}
