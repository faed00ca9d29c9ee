package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.testing.Seeds;

/** Classes of servers whose shares and dependence are told: what is said of them, and what not. */
class ToldAndUntoldTest {
  private static final int TRIALS = 200;

  private static List<Bottleneck> classified(
      String name, int trials, Function<RandomGenerator, List<Utilisation>> made) {
    RandomGenerator random = Seeds.generator(Seeds.next("ToldAndUntoldTest." + name));
    List<Bottleneck> all = new ArrayList<>();
    for (int trial = 0; trial < trials; trial++) {
      all.add(
          new BottleneckClassifier(SaturationRules.DEFAULT, trial)
              .classify(made.apply(random), true));
    }
    System.out.println(
        name
            + ": "
            + all.stream()
                .collect(
                    Collectors.groupingBy(
                        each -> each.kind() + " " + each.finding(), Collectors.counting())));
    return all;
  }

  /** A server that is saturated for 70 % of the time never falls short of a half here. */
  @ParameterizedTest
  @CsvSource({"60, 0.02", "120, 0.02", "300, 0.02", "300, 0.03"})
  void aServerThatIsSaturatedAtTimesIsTheBottleneckWhateverAnotherShowsOnce(
      int samples, double rare) {
    List<Bottleneck> all =
        classified(
            "partial." + samples + "." + rare,
            TRIALS,
            random -> {
              ClippedProcess process = new ClippedProcess(random, samples);
              Utilisation database = process.server("database", 1, 0.7, 0);
              double[] blips = new double[samples];
              for (int i = 0; i < (int) (rare * samples); i++) {
                blips[i * samples / 10] = 1;
              }
              return List.of(database, MadeUpCells.cpu("app", 1, blips));
            });

    assertThat(all).allMatch(each -> each.kind() == Kind.PARTIAL);
    assertThat(all).allMatch(each -> each.place().equals("database cpu"));
  }
}
