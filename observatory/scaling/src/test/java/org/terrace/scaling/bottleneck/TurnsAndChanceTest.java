package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.testing.Seeds;

/**
 * Servers that are saturated by turns, together or by chance, in samples that tell it or do not.
 */
class TurnsAndChanceTest {
  private static final int TRIALS = 200;

  private static Utilisation cpu(int number, int samples, IntPredicate saturated) {
    double[] values = new double[samples];
    Arrays.setAll(values, i -> saturated.test(i) ? 1 : 0.6);
    return MadeUpCells.cpu("database", number, values);
  }

  private static Bottleneck classify(List<Utilisation> samples, long seed) {
    return new BottleneckClassifier(SaturationRules.DEFAULT, seed).classify(samples, true);
  }

  /** Servers of which each in turn is saturated for as many samples as said. */
  private static List<Utilisation> inTurn(int samples, int servers, int dwell) {
    List<Utilisation> all = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      int own = server;
      all.add(cpu(server + 1, samples, i -> i / dwell % servers == own));
    }
    return all;
  }

  /** Servers of which one, whichever, is saturated at any time, for so long on average. */
  private static List<Utilisation> oneAtAnyTime(
      RandomGenerator random, int samples, int servers, double dwell) {
    int[] holders = new int[samples];
    holders[0] = random.nextInt(servers);
    for (int i = 1; i < samples; i++) {
      boolean moves = random.nextDouble() < 1 / dwell;
      holders[i] =
          moves ? (holders[i - 1] + 1 + random.nextInt(servers - 1)) % servers : holders[i - 1];
    }
    List<Utilisation> all = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      int own = server;
      all.add(cpu(server + 1, samples, i -> holders[i] == own));
    }
    return all;
  }

  /** The periods that are as long as a block, a half of it, and others. */
  @ParameterizedTest
  @CsvSource({
    "60, 3, 1", "120, 3, 2", "120, 2, 3", "180, 2, 5", "300, 2, 5", "600, 2, 5", "300, 5, 2",
    "300, 10, 1", "300, 2, 4", "60, 2, 1", "60, 2, 2", "60, 2, 3", "60, 2, 5", "60, 5, 2",
    "120, 2, 10", "300, 2, 10", "300, 3, 20"
  })
  void strictTurnsOscillateHoweverLongTheyLast(int samples, int servers, int dwell) {
    int right = 0;
    for (int seed = 0; seed < 100; seed++) {
      right += classify(inTurn(samples, servers, dwell), seed).kind() == Kind.OSCILLATORY ? 1 : 0;
    }

    assertThat(right).isGreaterThanOrEqualTo(95);
  }

  @ParameterizedTest
  @CsvSource({"300, 2, 60", "300, 2, 150", "60, 2, 12", "60, 2, 20", "60, 3, 15", "15, 2, 3"})
  void turnsOfWhichThereAreFewAreNotCalledIndependent(int samples, int servers, int dwell) {
    Bottleneck found = classify(inTurn(samples, servers, dwell), 1);

    assertThat(found.kind()).as(found.words()).isEqualTo(Kind.UNCLEAR);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 10, 12, 15, 20, 30, 60, 120})
  void ofServersOfWhichExactlyOneIsSaturatedNoneIsCalledIndependent(int samples) {
    RandomGenerator random =
        Seeds.generator(Seeds.next("TurnsAndChanceTest.oneAtAnyTime." + samples));
    for (int trial = 0; trial < TRIALS; trial++) {
      int servers = 2 + trial % 3;
      Bottleneck found = classify(oneAtAnyTime(random, samples, servers, 2 + trial % 5), trial);
      assertThat(found.kind()).as(found.words()).isNotEqualTo(Kind.CONCURRENT);
    }
  }

  @Test
  void serversThatAreAlwaysSaturatedTogetherAreSaidToBe() {
    List<Utilisation> all = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      all.add(cpu(number, 300, i -> i / 20 % 2 == 0));
    }
    Bottleneck found = classify(all, 1);

    assertThat(found.kind()).isEqualTo(Kind.CONCURRENT);
    assertThat(found.words()).contains("saturated together");
  }
}
