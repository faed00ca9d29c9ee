package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.scaling.bottleneck.MadeUpCells.always;
import static org.terrace.scaling.bottleneck.MadeUpCells.configuration;
import static org.terrace.scaling.bottleneck.MadeUpCells.cpu;
import static org.terrace.scaling.bottleneck.MadeUpCells.inTurn;
import static org.terrace.scaling.bottleneck.MadeUpCells.turns;
import static org.terrace.scaling.bottleneck.MadeUpCells.use;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.Utilisation;

/** Judges samples that are told: statements that are true, that are false, and that are neither. */
class SaturationJudgeTest {
  private static final int MANY = MadeUpCells.MANY;
  private static final Configuration THREE = configuration(3);

  private static SaturationJudge held(List<Utilisation> samples) {
    return new MadeUpCells().carries(THREE, 60, 2, samples).saturation();
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
