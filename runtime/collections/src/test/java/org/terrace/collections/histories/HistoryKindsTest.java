package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * Random histories of every kind: each holds, and with its planted fault soon does not.
 *
 * <p>{@code -Dterrace.histories=N} runs more, {@code -Dterrace.seed=N} begins at that seed.
 */
public class HistoryKindsTest {
  private static final int HISTORIES = Depth.of(3, 1);
  private static final int HISTORIES_TO_FIND = 200;

  @ParameterizedTest
  @EnumSource
  void everyHistoryHolds(HistoryKind kind) {
    for (long seed : Seeds.histories("everyHistoryHolds " + kind, HISTORIES)) {
      assertThat(kind.run(seed)).as("%s, seed %d", kind, seed).isEmpty();
    }
  }

  /**
   * Without keys, members once answered what was forged for so long that the history never ended.
   */
  @Test
  void aStormThatAFaultLetsLooseIsFoundAsOne() {
    assertThat(HistoryKind.HOSTILE_DATAGRAMS.historiesToFind(656590706808420973L, 1)).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void thePlantedFaultIsFound(HistoryKind kind) {
    long first = Seeds.next("thePlantedFaultIsFound " + kind);

    assertThat(kind.historiesToFind(first, HISTORIES_TO_FIND)).as(kind.fault()).isPresent();
  }
}
