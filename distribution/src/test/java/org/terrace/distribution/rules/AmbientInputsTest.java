package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

class AmbientInputsTest {
  @TempDir Path folder;

  private int houses;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.nanoTime()",
        "System.currentTimeMillis()",
        "java.time.Instant.now()",
        "java.time.LocalDateTime.now()",
        "new java.util.Date()",
        "new java.util.Random()",
        "new java.util.SplittableRandom()",
        "Math.random()",
        "java.util.concurrent.ThreadLocalRandom.current()",
        "java.util.random.RandomGenerator.getDefault()"
      })
  void aClockOrRandomnessOutOfTheAirIsNamed(String expression) throws IOException {
    assertThat(breaches(expression))
        .singleElement()
        .satisfies(breach -> assertThat(breach).startsWith("org.shop.Till calls java."));
    assertThat(breaches(expression, "# why", "org.shop.Till: it is the clock")).isEmpty();
  }

  /** An exception for the clock is none for the start of processes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "new ProcessBuilder()::start",
        "() -> ProcessBuilder.startPipeline(java.util.List.of())",
        "() -> Runtime.getRuntime().exec(new String[0])"
      })
  void aProcessThatIsStartedByOthersThanTheNamedIsABreach(String start) throws IOException {
    String expression = "(java.util.concurrent.Callable<?>) " + start;
    assertThat(breaches(expression))
        .singleElement()
        .satisfies(breach -> assertThat(breach).startsWith("org.shop.Till calls java.lang."));
    assertThat(breaches(expression, "org.shop.Till: it is the clock"))
        .hasSize(2)
        .contains("org.shop.Till is an exception that nothing needs");
    assertThat(breaches(expression, "# why", "org.shop.Till starts: it is a launcher")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"new java.util.Random(7)", "new java.security.SecureRandom()"})
  void whatIsSeededOrSecretIsRight(String expression) throws IOException {
    assertThat(breaches(expression)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new java.util.Random()",
        "java.util.concurrent.ThreadLocalRandom.current()",
        "Helper.shuffled()"
      })
  void aTestThatDrawsWithoutASeedIsNamed(String expression) throws IOException {
    assertThat(breachesOfTest(expression))
        .singleElement()
        .satisfies(breach -> assertThat(breach).matches("org.shop.(TillTest|Helper) calls java.+"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"System.nanoTime()", "new java.util.Random(7)"})
  void aTestMayReadTheClockAndDrawWithASeed(String expression) throws IOException {
    assertThat(breachesOfTest(expression)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Thread.onSpinWait()", "Thread.sleep(1)", "TimeUnit.DAYS.sleep(1)"})
  void aTestThatWaitsByItselfIsNamed(String wait) throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("shop")
            .test(
                "shop",
                """
                package org.shop;
                import java.util.concurrent.TimeUnit;
                class TillTest {
                  void waits() throws Exception {
                    %s;
                  }
                }
                """
                    .formatted(wait))
            .build();
    assertThat(AmbientInputs.breachesOf(house, List.of()))
        .singleElement()
        .satisfies(breach -> assertThat(breach).startsWith("org.shop.TillTest calls java."));
  }

  @Test
  void anExceptionThatNothingNeedsIsNamed() throws IOException {
    assertThat(breaches("1", "org.shop.Till: it was the clock"))
        .containsExactly("org.shop.Till is an exception that nothing needs");
    assertThat(breaches("1", "org.shop.Till starts: it was a launcher"))
        .containsExactly("org.shop.Till starts is an exception that nothing needs");
  }

  private List<String> breachesOfTest(String expression) throws IOException {
    PlantedHouse house = new PlantedHouse(folder).module("shop");
    if (expression.startsWith("Helper")) {
      house.test(
          "shop",
          """
          package org.shop;
          class Helper {
            static Object shuffled() {
              var list = new java.util.ArrayList<>(java.util.List.of(1, 2));
              java.util.Collections.shuffle(list);
              return list;
            }
          }
          """);
    }
    house.test("shop", "package org.shop; class TillTest { Object value = " + expression + "; }");
    return AmbientInputs.breachesOf(house.build(), List.of());
  }

  private List<String> breaches(String expression, String... exceptions) throws IOException {
    Path root = folder.resolve(Integer.toString(houses++));
    House house =
        new PlantedHouse(root)
            .module("shop")
            .main("shop", "package org.shop; class Till { Object value = " + expression + "; }")
            .build();
    return AmbientInputs.breachesOf(house, List.of(exceptions));
  }
}
