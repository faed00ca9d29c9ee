package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.observation.ValueSketch.LANES;
import static org.terrace.observation.ValueSketch.NONE;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sketches of values hold what recurs, in whichever form it is written. */
class ValueSketchTest {
  @ParameterizedTest
  @CsvSource({"Walnut, wALNUT", "0042, 42", "'story 1234', '1234;story'", "user_17, user_17"})
  void theSameValuesGiveTheSameSketch(String one, String other) {
    assertThat(sketch(one)).isEqualTo(sketch(other)).isNotEqualTo(NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "0007", "abc", "a-b-c", "%&/()", "é", "-"})
  void shortRunsAndSignsAreNoValues(String text) {
    assertThat(sketch(text)).isEqualTo(NONE);
  }

  @Test
  void contentIsNoValue() {
    assertThat(sketch("x".repeat(64))).isNotEqualTo(NONE);
    assertThat(sketch("x".repeat(65))).isEqualTo(NONE);
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 42, 99, 100, 1_234_567, Long.MAX_VALUE})
  void aNumberIsItsDigits(long number) {
    assertThat(ValueSketch.add(NONE, number)).isEqualTo(sketch(Long.toString(number)));
  }

  @ParameterizedTest
  @ValueSource(longs = {9, 0, -1, -1234, Long.MIN_VALUE})
  void shortAndNegativeNumbersAreNone(long number) {
    assertThat(ValueSketch.add(NONE, number)).isEqualTo(NONE);
  }

  @Test
  void theOrderOfValuesDoesNotMatterHoweverManyThereAre() {
    Random random = new Random(3);
    for (int count = 1; count < 12; count++) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values.add("value" + random.nextInt(1_000));
      }
      long sketch = sketch(String.join(" ", values));
      Collections.shuffle(values, random);

      assertThat(sketch(String.join(" ", values))).isEqualTo(sketch);
    }
  }

  @Test
  void aSketchHoldsTheGreatestOfItsValuesAndNoOthers() {
    for (int many = 1; many < 20; many++) {
      long sketch = NONE;
      Set<Integer> values = new HashSet<>();
      for (int i = 0; i < many; i++) {
        long one = ValueSketch.add(NONE, 1_000 + 37L * i);
        values.add(ValueSketch.lane(one, 0));
        sketch = ValueSketch.add(sketch, 1_000 + 37L * i);
      }
      List<Integer> falling = values.stream().sorted(Collections.reverseOrder()).toList();
      for (int i = 0; i < falling.size(); i++) {
        assertThat(ValueSketch.holds(sketch, falling.get(i))).isEqualTo(i < LANES);
      }
    }
  }

  @Test
  void differentValuesSeldomLookAlike() {
    Set<Integer> lanes = new HashSet<>();
    for (int i = 0; i < 5_000; i++) {
      lanes.add(ValueSketch.lane(ValueSketch.add(NONE, 10_000 + i), 0));
    }
    // 5,000 of 65,535 places taken at random leave some 4,813 distinct, give or take 14.
    assertThat(lanes.size()).isGreaterThan(4_700);
  }

  private static long sketch(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ValueSketch.add(NONE, bytes, 0, bytes.length);
  }
}
