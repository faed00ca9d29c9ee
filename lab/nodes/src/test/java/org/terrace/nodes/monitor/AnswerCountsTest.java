package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.terrace.testing.ManualTimeSource;

class AnswerCountsTest {
  private static final String APP = "app1";

  private final AnswerCounts counts = new AnswerCounts();
  private final ManualTimeSource clock = new ManualTimeSource(0);

  /** The moment at which the server's process started. */
  private long startNanos = -1;

  private void refused() {
    Duration age = Duration.ofNanos(clock.elapsedNanos() - startNanos);
    counts.refused(
        APP, "Connection refused", clock.elapsedNanos(), since -> age.compareTo(since) <= 0);
  }

  private void restarted() {
    clock.advanceNanos(100);
    startNanos = clock.elapsedNanos();
    clock.advanceNanos(100);
  }

  private void told(int times) {
    for (int time = 0; time < times; time++) {
      counts.due(APP);
      counts.told(APP, clock.elapsedNanos());
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
      refused();
    }
    assertThat(counts.gaps()).isEmpty();
  }

  @Test
  void oneAtWhosePlaceNobodyEverListensIsTold() {
    for (int time = 0; time < 3; time++) {
      counts.due(APP);
      refused();
    }
    assertThat(counts.gaps()).hasSize(1).first().asString().contains("3 of the 3", "refused");
  }

  @Test
  void oneThatStopsToListenWhileItRunsIsTold() {
    counts.due(APP);
    counts.told(APP, clock.elapsedNanos());
    counts.begin();
    told(3);
    for (int time = 0; time < 50; time++) {
      counts.due(APP);
      refused();
    }
    assertThat(counts.gaps()).hasSize(1).first().asString().contains("50 of the 53", "refused");
  }

  /** Its start is no silence, but whoever told something since is to go on. */
  @Test
  void oneThatIsStartedAnewBetweenTwoReadingsHasNothingToTellUntilItListens() {
    for (int restart = 0; restart < 3; restart++) {
      clock.advanceNanos(1_000);
      told(5);
      restarted();
      for (int each = 0; each < 4; each++) {
        counts.due(APP);
        refused();
      }
    }
    assertThat(counts.gaps()).isEmpty();

    told(1);
    clock.advanceNanos(1_000);
    for (int each = 0; each < 50; each++) {
      counts.due(APP);
      refused();
    }
    assertThat(counts.gaps()).hasSize(1).first().asString().contains("50 of the 66", "refused");
  }

  private void refusedFor(int seconds) {
    for (int second = 0; second < seconds; second++) {
      clock.advanceNanos(1_000_000_000);
      counts.due(APP);
      refused();
    }
  }

  /** As whose metrics have a port of their own that is still taken. */
  @Test
  void oneThatNeverListensAgainAfterItsRestartIsTold() {
    told(10);
    restarted();
    refusedFor(50);
    assertThat(counts.gaps()).hasSize(1).first().asString().contains("19 of the 29", "refused");
  }

  /** As after a fault of the network, in which a reading that did not come is none. */
  @Test
  void oneThatNeverListensAgainAfterItsAbsenceIsTold() {
    told(10);
    counts.due(APP);
    counts.absent(APP);
    refusedFor(50);
    assertThat(counts.gaps()).hasSize(1).first().asString().contains("19 of the 29", "refused");
  }

  @Test
  void oneThatStartsSlowlyAgainAndAgainIsNot() {
    for (int restart = 0; restart < 3; restart++) {
      told(1);
      restarted();
      refusedFor(29);
    }
    assertThat(counts.gaps()).isEmpty();
  }
}
