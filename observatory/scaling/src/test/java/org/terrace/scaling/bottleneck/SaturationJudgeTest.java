package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.scaling.bottleneck.MadeUpCells.always;
import static org.terrace.scaling.bottleneck.MadeUpCells.configuration;
import static org.terrace.scaling.bottleneck.MadeUpCells.cpu;
import static org.terrace.scaling.bottleneck.MadeUpCells.inTurn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;

/** Judges samples that are told: statements that are true, that are false, and that are neither. */
class SaturationJudgeTest {
  private static final int MANY = 60;
  private static final Configuration THREE = configuration(3);

  private static SaturationJudge held(List<Utilisation> samples) {
    return new MadeUpCells().carries(THREE, 60, 2, samples).saturation();
  }

  private static List<Utilisation> use(double app, double middleware, double database) {
    return List.of(
        cpu("app", 1, always(app, MANY)),
        cpu("middleware", 1, always(middleware, MANY)),
        cpu("database", 1, always(database, MANY)));
  }

  private static List<Utilisation> turns(int servers, int count) {
    SplittableRandom random = new SplittableRandom(3);
    int[] holders = new int[count];
    Arrays.setAll(holders, _ -> random.nextInt(servers));
    List<Utilisation> samples = new ArrayList<>();
    for (int turn = 0; turn < servers; turn++) {
      int own = turn;
      double[] values = new double[count];
      Arrays.setAll(values, i -> holders[i] == own ? 1 : 0.4);
      samples.add(cpu("database", turn + 1, values));
    }
    return samples;
  }

  @Test
  void aTierHoldsBackThatIsSaturatedMostly() {
    assertThat(held(use(0.5, 1, 0.5)).isHeldBackBy(THREE, "middleware").verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(held(use(0.5, 0.8, 0.5)).isHeldBackBy(THREE, "middleware").verdict())
        .isEqualTo(Verdict.FAILS);
    assertThat(held(use(1, 0.8, 0.5)).isHeldBackBy(THREE, "middleware").verdict())
        .as("another tier is")
        .isEqualTo(Verdict.FAILS);
    assertThat(held(use(1, 1, 0.5)).isHeldBackBy(THREE, "middleware").verdict())
        .as("both are")
        .isEqualTo(Verdict.CANNOT_TELL);
    assertThat(held(use(0.5, 1, 0.5)).isHeldBackBy(THREE, "middleware").measured())
        .contains("middleware in 100 % of 120 samples")
        .contains("95 % interval")
        .contains("n = 2");
  }

  @Test
  void nothingIsHeldBackThatStillGrows() {
    Judgement growing =
        new MadeUpCells()
            .carries(THREE, 1_000, 2, use(0.5, 1, 0.5))
            .saturation()
            .isHeldBackBy(THREE, "middleware");

    assertThat(growing.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(growing.measured()).contains("not seen at its limit");
  }

  @Test
  void aLimitWithoutASaturatedProcessor() {
    assertThat(held(use(0.5, 0.6, 0.7)).isHeldBackByNoProcessor(THREE).verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(held(use(0.5, 0.6, 1)).isHeldBackByNoProcessor(THREE).verdict())
        .isEqualTo(Verdict.FAILS);
    assertThat(
            held(List.of(cpu("database", 1, 1, 0.5, 0.5, 0.5, 0.5)))
                .isHeldBackByNoProcessor(THREE)
                .verdict())
        .as("too few samples")
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void theMaximumShowsWhatEachServerHides() {
    assertThat(held(turns(3, MANY)).isHiddenInMaximum(THREE, "database").verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(
            held(List.of(cpu("database", 1, always(1, MANY)), cpu("database", 2, always(1, MANY))))
                .isHiddenInMaximum(THREE, "database")
                .verdict())
        .as("each is saturated itself")
        .isEqualTo(Verdict.FAILS);
    assertThat(
            held(List.of(
                    cpu("database", 1, always(0.5, MANY)), cpu("database", 2, always(0.6, MANY))))
                .isHiddenInMaximum(THREE, "database")
                .verdict())
        .as("none is")
        .isEqualTo(Verdict.FAILS);
    assertThat(held(turns(1, MANY)).isHiddenInMaximum(THREE, "database").verdict())
        .isEqualTo(Verdict.CANNOT_TELL);
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
    return cells.saturation().areProcessors(all);
  }

  @Test
  void aBottleneckThatShiftsBetweenTwoResources() {
    Utilisation cpu = cpu("database", 1, inTurn(0, 2, MANY));
    Utilisation disk = Utilisation.of("database1", "database", "disk", 1, inTurn(1, 2, MANY));
    Utilisation steady = Utilisation.of("database1", "database", "disk", 1, always(0.5, MANY));

    assertThat(shift(List.of(cpu, disk)).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(shift(List.of(cpu, steady)).verdict()).isEqualTo(Verdict.FAILS);
    assertThat(shift(List.of(cpu)).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(shift(List.of(cpu)).measured()).contains("no samples of cpu and disk of database1");
  }

  private static Judgement shift(List<Utilisation> samples) {
    return held(samples).shiftsBetween(THREE, "database1", "cpu", "disk");
  }

  @Test
  void whatWasNotMeasuredCannotBeTold() {
    SaturationJudge judge = new MadeUpCells().saturation();

    assertThat(judge.isHeldBackBy(THREE, "app").verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.isHeldBackBy(THREE, "app").measured()).contains("no valid trial of");
  }
}
