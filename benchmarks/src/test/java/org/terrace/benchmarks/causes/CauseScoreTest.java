package org.terrace.benchmarks.causes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.terrace.testing.CauseScore;

class CauseScoreTest {
  private static CauseScore score(int right, int none, int wrong, int untoldNamed) {
    CauseScore score = new CauseScore();
    add(score, right, new CauseScore.Answer("disk", true, "io-pressure db1", true, 0.01));
    add(score, none, new CauseScore.Answer("disk", true, CauseScore.NONE, false, 1));
    add(score, wrong, new CauseScore.Answer("disk", true, "gc-pause db1", false, 0.04));
    add(score, untoldNamed, new CauseScore.Answer("stop", false, "gc-pause app1", false, 0.04));
    return score;
  }

  private static void add(CauseScore score, int times, CauseScore.Answer answer) {
    for (int i = 0; i < times; i++) {
      score.add(answer);
    }
  }

  @Test
  void whatNothingTellsOfMustNotBeNamedAndNeedNot() {
    CauseScore score = score(90, 8, 2, 10);

    assertThat(score.right(1).value()).isEqualTo(0.9);
    assertThat(score.wrong(1).count()).isEqualTo(12);
    assertThat(score.wrong(1).of()).isEqualTo(110);
    assertThat(score.precision(1).value()).isCloseTo(90 / 102.0, within(1e-9));
  }

  @Test
  void namingNothingIsNeitherRightNorWrong() {
    assertThat(score(0, 100, 0, 0).right(1).value()).isZero();
    assertThat(score(0, 100, 0, 0).wrong(1).value()).isZero();
  }

  @Test
  void moreConfidenceCoversLess() {
    CauseScore score = score(90, 0, 10, 0);

    assertThat(score.precision(0.05).value()).isEqualTo(0.9);
    assertThat(score.precision(0.02).value()).isEqualTo(1);
    assertThat(score.right(0.005).value()).isZero();
  }

  @Test
  void theIntervalIsWilsons() {
    CauseScore.Share share = CauseScore.share(9, 10);

    assertThat(share.low()).isCloseTo(0.596, within(0.001));
    assertThat(share.high()).isCloseTo(0.982, within(0.001));
    assertThat(CauseScore.share(0, 0).high()).isEqualTo(1);
  }

  @Test
  void theMatrixHoldsEachEffectOnce() {
    assertThat(score(3, 2, 1, 4).matrix().toString())
        .isEqualTo("{disk={gc-pause db1=1, none=2, right=3}, stop={gc-pause app1=4}}");
  }
}
