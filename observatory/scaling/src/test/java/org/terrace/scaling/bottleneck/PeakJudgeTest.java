package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.scaling.bottleneck.MadeUpCells.configuration;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;

/** Judges peaks that are told: statements that are true, that are false, and that are neither. */
class PeakJudgeTest {
  private static final Configuration ONE = configuration(1);
  private static final Configuration TWO = configuration(2);
  private static final Configuration THREE = configuration(3);

  private static PeakJudge of(double one, double two, double three, int repeats) {
    return new MadeUpCells()
        .carries(ONE, one, repeats)
        .carries(TWO, two, repeats)
        .carries(THREE, three, repeats)
        .peaks();
  }

  @Test
  void moreIsMoreBeyondChance() {
    assertThat(of(40, 60, 60, 3).reachesMore(TWO, ONE).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(of(60, 60, 60, 3).reachesMore(TWO, ONE).verdict()).isEqualTo(Verdict.FAILS);
    assertThat(of(60, 40, 60, 3).reachesMore(TWO, ONE).verdict()).isEqualTo(Verdict.FAILS);
    Judgement once = of(40, 60, 60, 1).reachesMore(TWO, ONE);
    assertThat(once.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(once.measured()).contains("no trial like it was repeated").contains("n = 1");
    assertThat(of(40, 60, 60, 3).reachesMore(TWO, ONE).measured())
        .contains("60.0/s at 200 users (n = 3)")
        .contains("+50 %")
        .contains("95 % interval");
  }

  @Test
  void whoWasNeverAtItsLimitTellsNothing() {
    PeakJudge judge = of(1_000, 1_000, 60, 3);

    assertThat(judge.reachAlike(List.of(ONE, TWO)).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.reachAlike(List.of(ONE, TWO)).measured()).contains("not seen at its limit");
    assertThat(judge.reachesMore(TWO, ONE).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.reachesNoMore(TWO, ONE).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.reachesMore(ONE, THREE).verdict())
        .as("the larger need not be at its limit to reach more")
        .isEqualTo(Verdict.HOLDS);
  }

  /** Errors under the least load say nothing of a peak that was still growing. */
  @Test
  void aLimitBelowThePeakIsNotThatOfThePeak() {
    PeakJudge judge =
        new MadeUpCells()
            .carries(ONE, 1_000, 3)
            .carries(TWO, 1_000, 3)
            .carries(THREE, 60, 3)
            .failsUnder(ONE, MadeUpCells.USERS.getFirst())
            .failsUnder(TWO, MadeUpCells.USERS.getFirst())
            .peaks();

    Judgement alike = judge.reachAlike(List.of(ONE, TWO));
    assertThat(alike.measured()).contains("at 400 users").contains("not seen at its limit");
    assertThat(alike.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.reachesMore(ONE, TWO).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.reachesNoMore(ONE, TWO).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.reachesPart(THREE, ONE, 0.1, 0.5).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.gainsMore(List.of(THREE, ONE), List.of(ONE, TWO)).verdict())
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void errorsAtThePeakAreALimit() {
    PeakJudge judge =
        new MadeUpCells()
            .carries(ONE, 1_000, 3)
            .carries(TWO, 1_000, 3)
            .failsUnder(ONE, MadeUpCells.USERS.getLast())
            .failsUnder(TWO, MadeUpCells.USERS.getLast())
            .peaks();

    assertThat(judge.reachAlike(List.of(ONE, TWO)).verdict()).isEqualTo(Verdict.HOLDS);
  }

  @Test
  void alikeIsWithinTheMarginByWholeIntervals() {
    assertThat(of(60, 61, 62, 3).reachAlike(List.of(ONE, TWO, THREE)).verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(of(60, 61, 90, 3).reachAlike(List.of(ONE, TWO, THREE)).verdict())
        .isEqualTo(Verdict.FAILS);
    assertThat(of(60, 69, 60, 3).reachAlike(List.of(ONE, TWO)).verdict())
        .as("at the margin")
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void noMoreHoldsForLessToo() {
    assertThat(of(60, 50, 60, 3).reachesNoMore(TWO, ONE).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(of(60, 60, 60, 3).reachesNoMore(TWO, ONE).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(of(60, 90, 60, 3).reachesNoMore(TWO, ONE).verdict()).isEqualTo(Verdict.FAILS);
    assertThat(of(60, 69, 60, 3).reachesNoMore(TWO, ONE).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void aPartIsWithinItsBoundsByTheWholeInterval() {
    assertThat(of(60, 40, 60, 3).reachesPart(TWO, ONE, 0.5, 0.85).verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(of(60, 56, 60, 3).reachesPart(TWO, ONE, 0.5, 0.85).verdict())
        .as("less, and not so much less")
        .isEqualTo(Verdict.PARTLY);
    assertThat(of(60, 80, 60, 3).reachesPart(TWO, ONE, 0.5, 0.85).verdict())
        .isEqualTo(Verdict.FAILS);
    assertThat(of(60, 60, 60, 3).reachesPart(TWO, ONE, 0.5, 0.85).verdict())
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void oneStepGainsMoreThanAnother() {
    List<Configuration> first = List.of(ONE, TWO);
    List<Configuration> second = List.of(TWO, THREE);

    assertThat(of(40, 70, 80, 3).gainsMore(first, second).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(of(40, 44, 80, 3).gainsMore(first, second).verdict()).isEqualTo(Verdict.FAILS);
    assertThat(of(40, 48, 57.6, 3).gainsMore(first, second).verdict())
        .isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void whatWasNotMeasuredCannotBeTold() {
    PeakJudge judge = new MadeUpCells().carries(ONE, 60, 3).peaks();

    assertThat(judge.reachesMore(TWO, ONE).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(judge.reachesMore(TWO, ONE).measured()).contains("no valid trial of 1/2/1/2");
    assertThat(judge.reachAlike(List.of(ONE, ONE)).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(new MadeUpCells().peaks().peak(ONE)).isEmpty();
  }
}
