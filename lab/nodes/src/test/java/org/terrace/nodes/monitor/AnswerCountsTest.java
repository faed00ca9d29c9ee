package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswerCountsTest {
  private static final String APP = "app1";

  private final AnswerCounts counts = new AnswerCounts();

  private void told(int times) {
    for (int time = 0; time < times; time++) {
      counts.due(APP);
      counts.told(APP);
    }
  }

  private void missed(int times) {
    for (int time = 0; time < times; time++) {
      counts.due(APP);
      counts.missed(APP, "it was busy");
    }
  }

  @Test
  void aFewThatLackAreNoGap() {
    told(95);
    missed(5);
    assertThat(counts.gaps()).isEmpty();

    missed(1);
    assertThat(counts.gaps())
        .containsExactly(
            "app1 did not tell how much of its pools was in use 6 of the 101 times it was to in the run, which may be when they were full (it was busy)");
  }

  @Test
  void anAnswerAfterwardsMakesUpForNone() {
    missed(3);
    told(3);
    assertThat(counts.gaps()).hasSize(1);
  }

  @Test
  void whatLackedBeforeTheCountBeganIsForgottenAndSoIsWhatComesAfterItsEnd() {
    missed(9);
    counts.begin();
    told(9);
    counts.end();
    missed(9);
    assertThat(counts.gaps()).isEmpty();
  }

  @Test
  void aServerThatIsNotThereOrStartsHasNothingToTell() {
    told(20);
    for (int time = 0; time < 20; time++) {
      counts.due(APP);
      counts.absent(APP);
      counts.due(APP);
      counts.refused(APP, "Connection refused");
    }
    assertThat(counts.gaps()).isEmpty();
  }

  @Test
  void oneAtWhosePlaceNobodyEverListensIsTold() {
    for (int time = 0; time < 3; time++) {
      counts.due(APP);
      counts.refused(APP, "Connection refused");
    }
    assertThat(counts.gaps()).hasSize(1).first().asString().contains("3 of the 3", "refused");
  }

  @Test
  void oneThatStopsToListenWhileItRunsIsTold() {
    counts.due(APP);
    counts.told(APP);
    counts.begin();
    told(3);
    for (int time = 0; time < 50; time++) {
      counts.due(APP);
      counts.refused(APP, "Connection refused");
    }
    assertThat(counts.gaps()).hasSize(1).first().asString().contains("50 of the 53", "refused");
  }
}
