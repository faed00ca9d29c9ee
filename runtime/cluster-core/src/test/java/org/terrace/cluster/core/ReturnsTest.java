package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.cluster.core.WriteTransaction.Phase;

/** The way of a replica to the end of a log that grows meanwhile. */
class ReturnsTest {
  private static final int RETURNING = 2;
  private static final long LACKING = 1_000;

  private final TransactionBook book = new TransactionBook(new DecidedCommits(List.of(), 0), 0);
  private final ActiveReplicas members = new ActiveReplicas(List.of(0, 1), 1);
  private final LogGate gate = new LogGate(book, members, LACKING);
  private final Returns returns = new Returns(book, members, gate);
  private long transactions;
  private int held;

  /** The clients write so many times what the replica does in the same time. */
  @ParameterizedTest
  @CsvSource({"0.5, 1100", "1, 8000", "4, 16000"})
  void whoDoesLessThanIsWrittenComesBackAllTheSame(double writesOfARecord, long mostRecords) {
    long done = 0;
    double offered = 0;
    while (!admit(RETURNING, done)) {
      long next = target(RETURNING);
      assertThat(next).isBetween(done + 1, done + Returns.ROUND_RECORDS);
      for (; done < next; done++) {
        offered += writesOfARecord;
        for (; offered >= 1; offered--) {
          write();
        }
      }
      assertThat(done).as("records until it is back").isLessThan(LACKING + mostRecords);
    }
    assertThat(members.active()).containsExactly(0, 1, RETURNING);
    assertThat(members.isSettling()).isFalse();
  }

  @Test
  void theLogWaitsForTheLastRoundAlone() {
    assertThat(admit(RETURNING, LACKING - Returns.ROUND_RECORDS - 1)).isFalse();
    assertThat(members.isSettling()).isFalse();
    assertThat(admit(RETURNING, LACKING - Returns.ROUND_RECORDS)).isFalse();
    assertThat(members.isSettling()).isTrue();
    assertThat(admit(RETURNING, LACKING)).isTrue();
    assertThat(members.isSettling()).isFalse();
  }

  @Test
  void theLogWaitsForEachOfTwoThatReturn() {
    admit(2, LACKING - 1);
    admit(3, LACKING - 1);
    admit(3, LACKING);
    assertThat(members.isSettling()).isTrue();
    members.remove(2);
    assertThat(members.isSettling()).isFalse();
  }

  @Test
  void whoFailsBeginsAnew() {
    admit(RETURNING, LACKING - 1);
    members.remove(RETURNING);
    returns.forget(RETURNING);
    admit(RETURNING, 0);
    assertThat(members.isSettling()).isFalse();
  }

  /** Another process may go on with the one that was active last, and with no other alone. */
  @Test
  void whenAllAreOutTheOneThatWasActiveLastReturnsFirst() {
    members.remove(1);
    members.remove(0);

    assertThat(admit(1, LACKING)).isFalse();
    assertThat(target(1)).as("no more than it has done").isEqualTo(LACKING);
    assertThat(admit(0, LACKING)).isTrue();
    assertThat(admit(1, LACKING)).isTrue();
    assertThat(members.active()).containsExactly(0, 1);
  }

  /** Nobody goes on with it, so that the one before it need not wait. */
  @Test
  void oneThatIsExcludedIsNotWaitedFor() {
    members.remove(1);
    members.remove(0);
    members.exclude(0);

    assertThat(members.lastActive()).isEqualTo(1);
    assertThat(admit(0, LACKING)).isFalse();
    assertThat(admit(1, LACKING)).isTrue();
    assertThat(admit(0, LACKING)).isTrue();
    members.remove(1);
    members.remove(0);
    assertThat(members.lastActive()).as("it is back").isZero();
  }

  /** Those behind it take its place. */
  @Test
  void aRecordThatTheLogRefusedIsNotWaitedFor() {
    WriteTransaction refused = held();
    WriteTransaction next = held();
    gate.takeBack(refused);

    assertThat(next.record).isEqualTo(LACKING + 1);
    assertThat(gate.lastLogged()).isEqualTo(LACKING + 1);
    assertThat(admit(RETURNING, LACKING + 1)).isTrue();
  }

  private WriteTransaction held() {
    WriteTransaction transaction = new WriteTransaction(++transactions);
    transaction.phase = Phase.HELD;
    book.add(transaction);
    gate.pass(transaction);
    return transaction;
  }

  private boolean admit(int replica, long done) {
    boolean admitted = returns.admit(new ClusterEvent.CaughtUp(replica, done));
    gate.open();
    if (!members.isSettling()) {
      held = 0;
    }
    return admitted;
  }

  private long target(int replica) {
    return book.drain().stream()
        .filter(effect ->
            effect instanceof ClusterEffect.CatchUp catchUp && catchUp.replica() == replica)
        .mapToLong(effect -> ((ClusterEffect.CatchUp) effect).logged())
        .max()
        .orElseThrow();
  }

  /** One of eight clients writes, unless all wait for the log. */
  private void write() {
    if (held < 8) {
      WriteTransaction transaction = new WriteTransaction(++transactions);
      transaction.phase = Phase.HELD;
      gate.pass(transaction);
      held = members.isSettling() ? held + 1 : 0;
    }
  }
}
