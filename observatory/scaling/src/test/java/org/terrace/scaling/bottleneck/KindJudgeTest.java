package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.scaling.bottleneck.MadeUpCells.MANY;
import static org.terrace.scaling.bottleneck.MadeUpCells.always;
import static org.terrace.scaling.bottleneck.MadeUpCells.configuration;
import static org.terrace.scaling.bottleneck.MadeUpCells.cpu;
import static org.terrace.scaling.bottleneck.MadeUpCells.turns;
import static org.terrace.scaling.bottleneck.MadeUpCells.use;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.testing.Seeds;

/** Judges the classes of samples that are told: right ones, wrong ones, and what tells neither. */
class KindJudgeTest {
  /** The samples of a repeat of the study of scaling out: ten seconds, two each. */
  private static final int OF_A_REPEAT = 20;

  private static final Configuration THREE = configuration(3);

  private static KindJudge held(List<Utilisation> samples) {
    return new MadeUpCells().carries(THREE, 60, 2, samples).kinds();
  }

  @Test
  void aKindOfBottleneckInATier() {
    Set<Kind> oscillatory = Set.of(Kind.OSCILLATORY);

    assertThat(held(turns(3, MANY)).isOfKind(THREE, "database", oscillatory).verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(held(turns(3, MANY)).isOfKind(THREE, "app", oscillatory).verdict())
        .as("another tier")
        .isEqualTo(Verdict.FAILS);
    assertThat(held(use(0.5, 0.5, 1)).isOfKind(THREE, "database", oscillatory).verdict())
        .as("one is saturated throughout")
        .isEqualTo(Verdict.FAILS);
    assertThat(held(turns(3, 9)).isOfKind(THREE, "database", oscillatory).verdict())
        .as("too few samples")
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void bottlenecksAreProcessorsOrNot() {
    Configuration one = configuration(1);
    Configuration two = configuration(2);
    List<Configuration> all = List.of(one, two, THREE);
    List<Utilisation> busy = use(0.5, 1, 0.5);
    List<Utilisation> idle = use(0.5, 0.5, 0.5);

    assertThat(judged(all, List.of(busy, busy, busy)).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(judged(all, List.of(busy, busy, idle)).verdict()).isEqualTo(Verdict.PARTLY);
    assertThat(judged(all, List.of(busy, idle, idle)).verdict())
        .as("one of three may be half of all")
        .isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judged(all, List.of(idle, idle, idle)).verdict())
        .as("none of three may be half of all")
        .isEqualTo(Verdict.CANNOT_TELL);
    assertThat(
            judged(List.of(one, two, THREE, configuration(4)), List.of(idle, idle, idle, idle))
                .verdict())
        .isEqualTo(Verdict.FAILS);
    assertThat(judged(List.of(one, two), List.of(busy, busy)).verdict())
        .isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judged(all, List.of(busy, busy, idle)).measured())
        .contains("2 of 3")
        .contains("not 1/2/1/3 mariadb (no-hardware)");
  }

  private static Judgement judged(List<Configuration> all, List<List<Utilisation>> samples) {
    MadeUpCells cells = new MadeUpCells();
    for (int i = 0; i < all.size(); i++) {
      cells.carries(all.get(i), 60, 2, samples.get(i));
    }
    return cells.kinds().areProcessors(all);
  }

  private static Verdict independent(List<Utilisation> samples) {
    return held(samples).areSaturatedIndependently(THREE, "database").verdict();
  }

  private static List<Utilisation> databases(boolean[][] saturated) {
    List<Utilisation> samples = new ArrayList<>();
    for (int number = 0; number < saturated.length; number++) {
      double[] values = always(0.5, saturated[number].length);
      for (int i = 0; i < values.length; i++) {
        values[i] = saturated[number][i] ? 1 : 0.5;
      }
      samples.add(cpu("database", number + 1, values));
    }
    return samples;
  }

  /** Three databases of which one at any time is saturated, for so many samples on average. */
  private static List<Utilisation> oneAtAnyTime(RandomGenerator random, int dwell) {
    boolean[][] saturated = new boolean[3][OF_A_REPEAT];
    int holder = random.nextInt(3);
    for (int i = 0; i < OF_A_REPEAT; i++) {
      if (random.nextInt(dwell) == 0) {
        holder = (holder + 1 + random.nextInt(2)) % 3;
      }
      saturated[holder][i] = true;
    }
    return databases(saturated);
  }

  /** Three databases, each saturated in half of the samples, as a coin falls. */
  private static List<Utilisation> byChance(RandomGenerator random, int samples) {
    boolean[][] saturated = new boolean[3][samples];
    for (boolean[] each : saturated) {
      for (int i = 0; i < samples; i++) {
        each[i] = random.nextBoolean();
      }
    }
    return databases(saturated);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 10})
  void ofDatabasesOfWhichExactlyOneIsSaturatedNothingFalseIsSaid(int dwell) {
    RandomGenerator random = Seeds.generator(Seeds.next("KindJudgeTest.oneAtAnyTime." + dwell));
    for (int i = 0; i < 150; i++) {
      KindJudge judge =
          new MadeUpCells()
              .carries(THREE, 60, List.of(oneAtAnyTime(random, dwell), oneAtAnyTime(random, dwell)))
              .kinds();

      Judgement independent = judge.areSaturatedIndependently(THREE, "database");
      assertThat(independent.verdict()).as(independent.measured()).isNotEqualTo(Verdict.HOLDS);
      Judgement turns = judge.isOfKind(THREE, "database", Set.of(Kind.OSCILLATORY));
      assertThat(turns.measured()).doesNotContain("concurrent");
      // Where no turn ended in any of the samples, there was one server that was saturated.
      if (!turns.measured().contains("single")) {
        assertThat(turns.verdict()).as(turns.measured()).isNotEqualTo(Verdict.FAILS);
      }
    }
  }

  /**
   * Two repeats of three databases, of 600 samples each. Of 400 such meshes 2 were not said to be
   * independent: nine and more of 20 happen by chance in fewer than 1e-9 of the runs (binomial,
   * even of 1 in 50).
   */
  @Test
  void databasesThatAreSaturatedByChanceAreIndependentInManySamples() {
    RandomGenerator random = Seeds.generator(Seeds.next("KindJudgeTest.byChance"));
    int holds = 0;
    for (int i = 0; i < 20; i++) {
      List<Utilisation> first = byChance(random, 30 * OF_A_REPEAT);
      List<Utilisation> second = byChance(random, 30 * OF_A_REPEAT);
      Judgement judgement =
          new MadeUpCells()
              .carries(THREE, 60, List.of(first, second))
              .kinds()
              .areSaturatedIndependently(THREE, "database");
      holds += judgement.verdict() == Verdict.HOLDS ? 1 : 0;
    }

    assertThat(holds).isGreaterThan(11);
  }

  /**
   * Two databases that depend on each other more than slightly: a third of the way to turns, or to
   * togetherness, and half of it. An interval of 90 % lies within a fifth of the way in fewer than
   * 1 of 50 of them: 15 and more of 100 happen by chance in fewer than 1e-8 of the runs (binomial).
   */
  @ParameterizedTest
  @CsvSource({"30, 0.7", "60, 0.7", "60, -0.7", "60, 0.5", "60, -0.5", "120, -0.5", "300, 0.5"})
  void databasesThatDependAreNotSaidToBeIndependent(int samples, double correlation) {
    RandomGenerator random =
        Seeds.generator(Seeds.next("KindJudgeTest.dependent." + samples + "." + correlation));
    int holds = 0;
    for (int i = 0; i < 100; i++) {
      ClippedProcess processes = new ClippedProcess(random, samples);
      double[] first = processes.process(0);
      double[] second = processes.correlated(first, correlation);
      List<Utilisation> databases =
          List.of(
              ClippedProcess.clipped("database", 1, 0.5, first),
              ClippedProcess.clipped("database", 2, 0.5, second));
      Judgement judgement =
          new MadeUpCells()
              .carries(THREE, 60, List.of(databases))
              .kinds()
              .areSaturatedIndependently(THREE, "database");
      holds += judgement.verdict() == Verdict.HOLDS ? 1 : 0;
    }

    System.out.printf("%d samples, %s: independent in %d of 100%n", samples, correlation, holds);
    assertThat(holds).isLessThan(15);
  }

  @Test
  void whatDependsIsNotIndependentAndWhatIsNotTestedIsNotTold() {
    boolean[][] together = new boolean[3][MANY];
    for (boolean[] each : together) {
      for (int i = 0; i < MANY; i++) {
        each[i] = i / 3 % 2 == 0;
      }
    }
    List<Utilisation> others = new ArrayList<>(turns(3, MANY));
    others.add(cpu("app", 1, always(1, MANY)));

    assertThat(independent(databases(together))).isEqualTo(Verdict.FAILS);
    assertThat(independent(turns(3, MANY))).isEqualTo(Verdict.FAILS);
    assertThat(independent(use(0.5, 0.5, 1))).as("one alone").isEqualTo(Verdict.CANNOT_TELL);
    assertThat(independent(use(0.5, 1, 0.5))).as("elsewhere").isEqualTo(Verdict.CANNOT_TELL);
    assertThat(independent(others)).as("others too").isEqualTo(Verdict.CANNOT_TELL);
    assertThat(independent(turns(3, 9))).as("few samples").isEqualTo(Verdict.CANNOT_TELL);
    assertThat(
            independent(
                List.of(cpu("database", 1, always(1, MANY)), cpu("database", 2, always(1, MANY)))))
        .as("all the time")
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  /** Processors whose turns are too few to tell are processors all the same. */
  @Test
  void whatIsUnclearForItsTurnsAloneIsHeldBackByProcessors() {
    boolean[][] halves = new boolean[2][MANY];
    for (int i = 0; i < MANY; i++) {
      halves[2 * i / MANY][i] = true;
    }
    List<Configuration> all = List.of(configuration(1), configuration(2), THREE);

    assertThat(judged(all, List.of(databases(halves), databases(halves), databases(halves))))
        .satisfies(judgement ->
            assertThat(judgement.verdict()).as(judgement.measured()).isEqualTo(Verdict.HOLDS));
  }
}
