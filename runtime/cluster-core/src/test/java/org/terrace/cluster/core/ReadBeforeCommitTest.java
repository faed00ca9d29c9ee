package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A commit at a replica that has not done yet what the commit's session had read at another. */
class ReadBeforeCommitTest {
  private static final StatementOutcome DONE = StatementOutcome.done("1");
  private static final List<Integer> REPLICAS = List.of(0, 1);

  private final ClusterCore core =
      new ClusterCore(new ClusterSettings(WriteStrategy.WAIT_FIRST, 1, 16), REPLICAS, 1, 0, 0, 0);

  /** Takes a transaction to the moment at which it is decided; gives what is to be done then. */
  private List<ClusterEffect> decide(long transaction, String row, long seen) {
    core.step(
        new ClusterEvent.Write(
            transaction, List.of(new LockDemand(new Lockable("t", row), LockMode.EXCLUSIVE))));
    for (int replica : REPLICAS) {
      core.step(new ClusterEvent.Executed(transaction, 0, replica, DONE));
    }
    core.step(new ClusterEvent.Commit(transaction, seen));
    for (int replica : REPLICAS) {
      core.step(new ClusterEvent.Prepared(transaction, replica, DONE));
    }
    return core.step(new ClusterEvent.Logged(transaction));
  }

  private static ClusterEffect commit(long transaction, int replica) {
    return new ClusterEffect.CommitAt(transaction, replica);
  }

  @Test
  void itIsDoneThereBehindWhatWasRead() {
    assertThat(decide(1, "a", 0)).contains(commit(1, 0), commit(1, 1));
    core.step(new ClusterEvent.Committed(1, 0));
    long seen = FreshnessToken.NONE.afterRead(0, core.progress()).decided();

    assertThat(decide(2, "b", seen)).contains(commit(2, 0)).doesNotContain(commit(2, 1));
    assertThat(core.step(new ClusterEvent.Committed(1, 1))).contains(commit(2, 1));
  }

  @Test
  void whoHasReadNothingWaitsForNobody() {
    decide(1, "a", 0);
    core.step(new ClusterEvent.Committed(1, 0));

    assertThat(decide(2, "b", 0)).contains(commit(2, 0), commit(2, 1));
  }

  @Test
  void nobodyWaitsForWhatIsDecidedLater() {
    long beyond = 1_000;
    assertThat(decide(1, "a", beyond)).contains(commit(1, 0), commit(1, 1));
    assertThat(decide(2, "b", beyond)).doesNotContain(commit(2, 0), commit(2, 1));
    assertThat(decide(3, "c", beyond)).doesNotContain(commit(3, 0), commit(3, 1));

    assertThat(core.step(new ClusterEvent.Committed(1, 1)))
        .contains(commit(2, 1))
        .doesNotContain(commit(3, 1));
    assertThat(core.step(new ClusterEvent.Committed(2, 1))).contains(commit(3, 1));
  }
}
