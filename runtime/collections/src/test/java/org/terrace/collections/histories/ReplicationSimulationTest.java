package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * Random histories of calls and faults against the production code, one a seed.
 *
 * <p>{@code -Dterrace.histories=N} runs more, {@code -Dterrace.seed=N} begins at that seed.
 */
public class ReplicationSimulationTest {
  private static final int HISTORIES = Depth.of(2_500, 300);

  @Test
  void everyHistoryConvergesAndLosesNothingAcknowledged() {
    long messages = 0;
    long calls = 0;
    long acknowledged = 0;
    long restored = 0;
    long retired = 0;
    int[] kinds = new int[Reconciliation.Kind.values().length];
    for (long seed :
        Seeds.histories("everyHistoryConvergesAndLosesNothingAcknowledged", HISTORIES)) {
      SimulatedCluster cluster = SimulatedHistories.run(seed, WatchedState::new);
      assertThat(cluster.violations()).as("seed %d", seed).isEmpty();
      if (seed % QUIESCED_ONE_IN == 0) {
        cluster.quiesce();
        assertThat(cluster.violations()).as("seed %d, after a while", seed).isEmpty();
        assertThat(cluster.writersMax())
            .as("writers of seed %d", seed)
            .isLessThanOrEqualTo(cluster.names.size());
        retired += cluster.retired.size();
      }
      messages += cluster.simulation.messagesSent();
      calls += cluster.calls.size();
      restored += cluster.restored;
      acknowledged += cluster.calls.stream().filter(call -> call.acknowledged).count();
      cluster.reconciliations.forEach(one -> kinds[one.kind().ordinal()]++);
    }
    System.out.printf(
        "%d histories: %d calls, %d acknowledged, %d messages, repairs: %d updates, %d state;"
            + " %d checkpoints restored, %d incarnations retired%n",
        HISTORIES, calls, acknowledged, messages, kinds[0], kinds[1], restored, retired);
    assertThat(retired).isPositive();
    assertThat(restored).isPositive();
    assertThat(kinds[0]).isPositive();
    assertThat(kinds[1]).isPositive();
  }

  /** Histories after which time goes on until incarnations that are over have been retired. */
  private static final int QUIESCED_ONE_IN = 4;

  /** Histories within which a planted fault must show. */
  private static final int HISTORIES_TO_FIND = 400;

  @ParameterizedTest
  @EnumSource
  void thePlantedFaultIsFound(PlainFault fault) {
    long first = Seeds.next("thePlantedFaultIsFound " + fault);

    assertThat(fault.historiesToFind(first, HISTORIES_TO_FIND)).as(fault.fault()).isPresent();
  }
}
