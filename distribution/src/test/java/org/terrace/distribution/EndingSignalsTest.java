package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The signals of a command that is ended several times: in a row, every one of them. */
class EndingSignalsTest {
  @Test
  void fourSignalsInARowAreAllThereAre() {
    int all = EndingSignals.ALL.size();
    for (int first = 0; first < all; first++) {
      List<String> signals = EndingSignals.of(first, 2 * all);

      assertThat(signals.getFirst()).isEqualTo(EndingSignals.ALL.get(first));
      for (int from = 0; from < 2; from++) {
        assertThat(signals.subList(from * all, (from + 1) * all))
            .containsExactlyInAnyOrderElementsOf(EndingSignals.ALL);
      }
    }
  }

  @Test
  void ofTwoSignalsOneIsAnInterruptAndTheOtherAKill() {
    for (int first = 0; first < EndingSignals.ALL.size(); first++) {
      List<String> two = EndingSignals.of(first, 2);

      assertThat(two).filteredOn(signal -> signal.contains("-INT")).hasSize(1);
      assertThat(two).filteredOn(signal -> signal.contains("-KILL")).hasSize(1);
    }
  }
}
