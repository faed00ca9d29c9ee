package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The answers of a replica that was lost, which come when it is back. */
class LateAnswersTest {
  private static final long TRANSACTION = 1;
  private static final int LOST = 2;
  private static final StatementOutcome DONE = StatementOutcome.done("1");

  private final ClusterCore core =
      new ClusterCore(
          new ClusterSettings(WriteStrategy.WAIT_FIRST, 1, 16), List.of(0, 1, LOST), 1, 0, 0, 0);

  @Test
  void whatItSaysOfAStatementIsNotComparedWhenItIsBack() {
    writeAndLoseOneThatReturns();

    assertThat(
            core.step(
                new ClusterEvent.Executed(TRANSACTION, 0, LOST, StatementOutcome.done("other"))))
        .isEmpty();
    assertThat(core.active()).containsExactly(0, 1, LOST);
  }

  @Test
  void itCommitsNoPartOfATransactionThatItGetsAsAWhole() {
    writeAndLoseOneThatReturns();
    core.step(new ClusterEvent.Commit(TRANSACTION));
    core.step(new ClusterEvent.Prepared(TRANSACTION, LOST, DONE));
    core.step(new ClusterEvent.Prepared(TRANSACTION, 0, DONE));
    core.step(new ClusterEvent.Prepared(TRANSACTION, LOST, DONE));

    List<ClusterEffect> effects = core.step(new ClusterEvent.Logged(TRANSACTION));

    assertThat(effects).contains(new ClusterEffect.Replay(TRANSACTION, LOST));
    assertThat(effects).doesNotContain(new ClusterEffect.CommitAt(TRANSACTION, LOST));
    assertThat(core.step(new ClusterEvent.Prepared(TRANSACTION, LOST, DONE))).isEmpty();
  }

  /** Nobody would answer: those that are active get it as a whole when it is committed. */
  @Test
  void aTransactionIsUndoneWhenAllWereLostThatHadBegunIt() {
    writeAndLoseOneThatReturns();
    core.step(new ClusterEvent.ReplicaFailed(0, "it was silent"));
    core.step(new ClusterEvent.ReplicaFailed(1, "it was silent"));

    List<ClusterEffect> effects = core.step(new ClusterEvent.Commit(TRANSACTION));

    assertThat(effects)
        .filteredOn(ClusterEffect.AnswerAborted.class::isInstance)
        .singleElement()
        .extracting(effect -> ((ClusterEffect.AnswerAborted) effect).sqlState())
        .isEqualTo(SqlStates.SERIALIZATION_FAILURE);
  }

  /** It has done from the log what the others have yet to hear of from the log. */
  @Test
  void whoSawACommitAtAReplicaThatIsBackDoesNotMissItAtOthers() {
    writeAndLoseOneThatReturns();
    core.step(new ClusterEvent.ReplicaFailed(LOST, "it was silent"));
    core.step(new ClusterEvent.ViewRecorded(4));
    core.step(new ClusterEvent.Commit(TRANSACTION));
    core.step(new ClusterEvent.Prepared(TRANSACTION, 0, DONE));
    core.step(new ClusterEvent.CaughtUp(LOST, 1));
    assertThat(core.active()).containsExactly(0, 1, LOST);

    FreshnessToken token = FreshnessToken.NONE.afterRead(LOST, core.progress());

    assertThat(token.allows(LOST, core.progress())).isTrue();
    assertThat(token.allows(0, core.progress())).as("it has not committed").isFalse();
    core.step(new ClusterEvent.Logged(TRANSACTION));
    core.step(new ClusterEvent.Committed(TRANSACTION, 0));
    assertThat(token.allows(0, core.progress())).isTrue();
    assertThat(token.allows(1, core.progress())).isFalse();
  }

  @Test
  void itIsUnknownWhatBecomesOfATransactionWhoseRecordMayRemain() {
    assertThat(stateAfterLogFailed(true)).isEqualTo(SqlStates.OUTCOME_UNKNOWN);
  }

  @Test
  void aTransactionWithoutARecordIsUndone() {
    assertThat(stateAfterLogFailed(false)).isEqualTo(SqlStates.IO_ERROR);
  }

  @Test
  void aTransactionThatIsUndoneAtItsCommitIsLetGo() {
    stateAfterLogFailed(false);

    rollBackEverywhere();

    assertThat(core.unfinished()).isEmpty();
    assertThat(core.floorAt(0)).hasValue(new RememberedPositions(1, 0));
  }

  /** A replica that returns may do it from the log, and so must be told from those that did not. */
  @Test
  void aTransactionWhoseRecordMayRemainIsKept() {
    stateAfterLogFailed(true);

    rollBackEverywhere();

    assertThat(core.floorAt(0)).hasValue(new RememberedPositions(0, 0));
  }

  private void rollBackEverywhere() {
    answerAll(replica -> new ClusterEvent.RolledBack(TRANSACTION, replica));
  }

  /** Their records are not in the order of their positions, and the last is done nowhere yet. */
  @Test
  void thePositionOfTheLastRecordThatIsDoneIsKept() {
    for (long transaction = 1; transaction <= 3; transaction++) {
      long id = transaction;
      core.step(new ClusterEvent.Write(id, List.of()));
      answerAll(replica -> new ClusterEvent.Executed(id, 0, replica, DONE));
    }
    for (long transaction = 1; transaction <= 3; transaction++) {
      core.step(new ClusterEvent.Commit(transaction));
    }
    logAndCommit(3);
    logAndCommit(1);
    log(2);

    assertThat(core.floorAt(0))
        .hasValueSatisfying(known -> {
          assertThat(known.floor()).isEqualTo(1);
          assertThat(known.floorBelowEnd(0)).as("the first is kept").isZero();
          assertThat(new RememberedPositions(known.floor(), 2).floorBelowEnd(0))
              .as("with the last that is on the disk it would be forgotten")
              .isEqualTo(1);
        });
    answerAll(replica -> new ClusterEvent.Committed(2, replica));
    assertThat(core.floorAt(0)).hasValue(new RememberedPositions(3, 2));
  }

  private void logAndCommit(long transaction) {
    log(transaction);
    answerAll(replica -> new ClusterEvent.Committed(transaction, replica));
  }

  private void log(long transaction) {
    answerAll(replica -> new ClusterEvent.Prepared(transaction, replica, DONE));
    core.step(new ClusterEvent.Logged(transaction));
  }

  private void answerAll(IntFunction<ClusterEvent> answer) {
    for (int replica = 0; replica <= LOST; replica++) {
      core.step(answer.apply(replica));
    }
  }

  private String stateAfterLogFailed(boolean mayRemain) {
    core.step(new ClusterEvent.Write(TRANSACTION, List.of()));
    core.step(new ClusterEvent.Executed(TRANSACTION, 0, 0, DONE));
    core.step(new ClusterEvent.Commit(TRANSACTION));
    core.step(new ClusterEvent.Prepared(TRANSACTION, 0, DONE));
    return core.step(new ClusterEvent.LogFailed(TRANSACTION, "no space", mayRemain)).stream()
        .filter(ClusterEffect.AnswerAborted.class::isInstance)
        .map(effect -> ((ClusterEffect.AnswerAborted) effect).sqlState())
        .findFirst()
        .orElseThrow();
  }

  private void writeAndLoseOneThatReturns() {
    core.step(
        new ClusterEvent.Write(
            TRANSACTION, List.of(new LockDemand(new Lockable("t", "k"), LockMode.EXCLUSIVE))));
    core.step(new ClusterEvent.Executed(TRANSACTION, 0, 0, DONE));
    core.step(new ClusterEvent.ReplicaFailed(LOST, "it was silent"));
    core.step(new ClusterEvent.ViewRecorded(2));
    core.step(new ClusterEvent.CaughtUp(LOST, 0));
    core.step(new ClusterEvent.ViewRecorded(3));
    assertThat(core.active()).containsExactly(0, 1, LOST);
  }
}
