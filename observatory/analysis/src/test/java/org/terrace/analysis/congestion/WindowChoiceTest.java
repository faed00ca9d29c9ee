package org.terrace.analysis.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WindowChoiceTest {

  @Test
  void choosesAWindowOnThePlateauThatHoldsEnoughCompletions() {
    CongestionFit[] fits = {
      scale(5, 9.9), scale(10, 8.2), scale(20, 8.0), scale(50, 8.3), scale(100, 11), scale(200, 20)
    };
    double[] load = new double[3_000];
    // Episodes of 300 ms above any of the estimates.
    for (int i = 0; i < load.length; i++) {
      load[i] = i / 30 % 2 == 0 ? 30 : 2;
    }

    assertThat(WindowChoice.plateau(List.of(fits)))
        .extracting(CongestionFit::millis)
        .containsExactly(10, 20, 50);
    assertThat(WindowChoice.medianEpisodeMillis(load, 10, 8)).isEqualTo(300);
    // At about 8,000 a second, 25 completions take 3 ms, and 50 times as many 150 ms.
    assertThat(choose(fits, 0, load)).isEqualTo(10);
    assertThat(choose(fits, 5, load)).isEqualTo(20);
    assertThat(choose(fits, 49, load)).isZero();
  }

  @Test
  void givesUpTheLengthOfEpisodesWhereNoStepOfLengthsSatisfiesBoth() {
    CongestionFit[] fits = {scale(5, 8.4), scale(10, 8), scale(20, 7.7), scale(50, 8.2)};
    double[] load = new double[3_000];
    // Episodes of 50 ms: a third is below 20 ms, which 150 completions take.
    for (int i = 0; i < load.length; i++) {
      load[i] = i % 50 < 5 ? 30 : 2;
    }

    assertThat(choose(fits, 5, load)).isEqualTo(20);
  }

  @Test
  void takesTheNextPlateauWhereTheLongestIsOfWindowsTooShort() {
    CongestionFit[] fits = {
      scale(5, 8.2), scale(10, 7.4), scale(20, 7.8), scale(50, 8.9), scale(100, 10.5)
    };
    double[] load = new double[3_000];
    for (int i = 0; i < load.length; i++) {
      load[i] = i / 30 % 2 == 0 ? 30 : 2;
    }

    assertThat(WindowChoice.plateau(List.of(fits)))
        .extracting(CongestionFit::millis)
        .containsExactly(5, 10, 20);
    // 175 completions take some 22 ms.
    assertThat(choose(fits, 6, load)).isEqualTo(50);
  }

  private static int choose(CongestionFit[] fits, double squaredVariation, double[] load) {
    return WindowChoice.choose(
        List.of(
            WindowChoice.vote(
                new WindowChoice.Candidate(List.of(fits), squaredVariation, load, 10))));
  }

  private static CongestionFit scale(int millis, double knee) {
    return new CongestionFit(
        millis, true, knee, 1_000, knee, knee, new double[0], new double[0], null);
  }
}
