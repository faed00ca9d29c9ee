package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Locks and pending writes, which hold back whoever writes though no server is busy. */
class SoftResourcesTest {
  private static final StatementOutcome DONE = StatementOutcome.done("1");
  private static final int REPLICAS = 3;

  private final ClusterCore core =
      new ClusterCore(
          new ClusterSettings(WriteStrategy.WAIT_FIRST, 1, 16), List.of(0, 1, 2), 1, 0, 0, 0);

  @Test
  void aTransactionWaitsWhileAnotherHasItsLock() {
    assertLocks(0, 0);
    write(1, "t");
    write(2, "u");
    assertLocks(0, 2);

    write(3, "t");
    assertLocks(1, 3);

    for (int replica = 0; replica < REPLICAS; replica++) {
      core.step(new ClusterEvent.Executed(1, 0, replica, DONE));
    }
    commit(1);
    // The answered one lets go, though two replicas are still at work on it.
    assertLocks(0, 2);
  }

  /** Somebody nearly always waits where many write, and locks may cost next to nothing. */
  @Test
  void oneThatWaitsAmongManyIsASmallShare() {
    for (int transaction = 1; transaction <= 100; transaction++) {
      write(transaction, "t" + transaction);
    }
    write(101, "t1");

    assertLocks(1, 101);
  }

  private void assertLocks(int waiters, int users) {
    assertThat(core.lockWaiters()).as("waiters").isEqualTo(waiters);
    assertThat(core.lockUsers()).as("users").isEqualTo(users);
  }

  @Test
  void whatIsBehindIsThatOfTheSlowestActiveReplica() {
    for (long transaction = 1; transaction <= 2; transaction++) {
      write(transaction, "t" + transaction);
      for (int replica = 0; replica < REPLICAS; replica++) {
        core.step(new ClusterEvent.Executed(transaction, 0, replica, DONE));
      }
      assertThat(core.behind()).isEqualTo((int) transaction - 1);
      commit(transaction);
    }
    assertThat(core.behind()).isEqualTo(2);

    core.step(new ClusterEvent.Committed(1, 1));
    assertThat(core.behind()).as("the third has done neither").isEqualTo(2);

    core.step(new ClusterEvent.ReplicaFailed(2, "it was silent"));
    assertThat(core.behind()).as("who is out holds up nobody").isEqualTo(1);
    core.step(new ClusterEvent.Committed(2, 1));
    assertThat(core.behind()).isZero();
  }

  private void write(long transaction, String table) {
    core.step(
        new ClusterEvent.Write(
            transaction, List.of(new LockDemand(Lockable.ofTable(table), LockMode.EXCLUSIVE))));
  }

  /** Commits at the first replica, whose word is the client's answer. */
  private void commit(long transaction) {
    core.step(new ClusterEvent.Commit(transaction));
    for (int replica = 0; replica < REPLICAS; replica++) {
      core.step(new ClusterEvent.Prepared(transaction, replica, DONE));
    }
    core.step(new ClusterEvent.Logged(transaction));
    core.step(new ClusterEvent.Committed(transaction, 0));
  }
}
