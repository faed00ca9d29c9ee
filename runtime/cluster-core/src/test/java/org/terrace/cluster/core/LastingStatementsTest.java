package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.StatementOutcome.Kind;

/** Statements that stay where they were done, whatever becomes of their transaction. */
class LastingStatementsTest {
  private static final StatementOutcome DONE = StatementOutcome.done("0");
  private static final StatementOutcome GAVE_UP = new StatementOutcome(Kind.GAVE_UP, "70100");

  private final List<ClusterEffect> effects = new ArrayList<>();
  private final ClusterCore core =
      new ClusterCore(
          new ClusterSettings(WriteStrategy.WAIT_ALL, 2, 100), List.of(0, 1, 2), 1, 0, 0, 0);

  private void step(ClusterEvent event) {
    effects.addAll(core.step(event));
  }

  private void write(StatementOutcome... outcomes) {
    step(new ClusterEvent.Write(1, List.of(), true, true));
    for (int replica = 0; replica < outcomes.length; replica++) {
      step(new ClusterEvent.Executed(1, 0, replica, outcomes[replica]));
    }
  }

  /** Also when fewer are left than must be: it is done, and nothing would undo it. */
  @Test
  void whatOneHasDoneIsCommittedAndTheOthersGetItFromTheLog() {
    write(GAVE_UP, DONE, GAVE_UP);

    assertThat(core.active()).containsExactly(1);
    assertThat(effects)
        .filteredOn(ClusterEffect.TakeOut.class::isInstance)
        .extracting(effect -> ((ClusterEffect.TakeOut) effect).diverged())
        .containsExactly(false, false);
    assertThat(effects).contains(new ClusterEffect.AnswerDone(1, 1, 0));
    step(new ClusterEvent.Commit(1));
    step(new ClusterEvent.Prepared(1, 1, DONE));
    step(new ClusterEvent.ViewRecorded(2));
    step(new ClusterEvent.ViewRecorded(3));
    assertThat(effects).contains(new ClusterEffect.Append(1, 1));
    step(new ClusterEvent.Logged(1));
    assertThat(effects)
        .contains(new ClusterEffect.CommitAt(1, 1))
        .noneMatch(ClusterEffect.AnswerAborted.class::isInstance);
  }

  /** Servers that are at it would differ, and nobody would know. */
  @Test
  void whoseClientLeavesWithinItGoesOnToTheLog() {
    step(new ClusterEvent.Write(1, List.of(), true, true));
    step(new ClusterEvent.Executed(1, 0, 0, DONE));
    step(new ClusterEvent.Rollback(1));
    step(new ClusterEvent.Executed(1, 0, 1, GAVE_UP));
    assertThat(effects).noneMatch(ClusterEffect.RollBackAt.class::isInstance);
    step(new ClusterEvent.Executed(1, 0, 2, DONE));

    assertThat(core.active()).containsExactly(0, 2);
    step(new ClusterEvent.Prepared(1, 0, DONE));
    step(new ClusterEvent.Prepared(1, 2, DONE));
    step(new ClusterEvent.ViewRecorded(2));
    assertThat(effects).contains(new ClusterEffect.Append(1, 1));
    assertThat(effects).noneMatch(ClusterEffect.Answer.class::isInstance);
    step(new ClusterEvent.Logged(1));
    step(new ClusterEvent.Committed(1, 0));
    step(new ClusterEvent.Committed(1, 2));
    assertThat(effects).contains(new ClusterEffect.Forget(1));
    assertThat(effects)
        .filteredOn(ClusterEffect.Answer.class::isInstance)
        .containsExactly(new ClusterEffect.AnswerDone(1, 0, 0));
  }

  @Test
  void whoseClientLeavesIsUndoneIfNoneHasDoneIt() {
    step(new ClusterEvent.Write(1, List.of(), true, true));
    step(new ClusterEvent.Executed(1, 0, 0, GAVE_UP));
    step(new ClusterEvent.Rollback(1));
    step(new ClusterEvent.Executed(1, 0, 1, GAVE_UP));
    step(new ClusterEvent.Executed(1, 0, 2, GAVE_UP));
    for (int replica = 0; replica < 3; replica++) {
      step(new ClusterEvent.RolledBack(1, replica));
    }

    assertThat(core.active()).containsExactly(0, 1, 2);
    assertThat(effects)
        .contains(new ClusterEffect.Forget(1))
        .noneMatch(ClusterEffect.Append.class::isInstance)
        .noneMatch(ClusterEffect.AnswerAborted.class::isInstance);
  }

  /** The answer may be on its way to the client that leaves. */
  @Test
  void whoseClientLeavesAfterItGoesOnToTheLog() {
    write(DONE, DONE, DONE);
    step(new ClusterEvent.Rollback(1));
    for (int replica = 0; replica < 3; replica++) {
      step(new ClusterEvent.Prepared(1, replica, DONE));
    }

    assertThat(effects)
        .contains(new ClusterEffect.Append(1, 1))
        .noneMatch(ClusterEffect.RollBackAt.class::isInstance);
  }

  /** It waits for the others, though fewer are left than must be. */
  @Test
  void whatServersAreAtIsNotUndoneForWantOfOthers() {
    step(new ClusterEvent.Write(1, List.of(), true, true));
    step(new ClusterEvent.ReplicaFailed(0, "it was silent"));
    step(new ClusterEvent.ReplicaFailed(1, "it was silent"));
    assertThat(effects).noneMatch(ClusterEffect.RollBackAt.class::isInstance);
    step(new ClusterEvent.Executed(1, 0, 2, DONE));

    assertThat(effects).contains(new ClusterEffect.AnswerDone(1, 2, 0));
  }

  @Test
  void whatAllGaveUpIsNotDone() {
    write(GAVE_UP, GAVE_UP, GAVE_UP);

    assertThat(core.active()).containsExactly(0, 1, 2);
    assertThat(effects).anyMatch(ClusterEffect.AnswerAborted.class::isInstance);
  }

  @Test
  void anotherStatementIsUndoneWhereOneGaveUp() {
    step(new ClusterEvent.Write(1, List.of()));
    step(new ClusterEvent.Executed(1, 0, 0, GAVE_UP));
    step(new ClusterEvent.Executed(1, 0, 1, DONE));
    step(new ClusterEvent.Executed(1, 0, 2, DONE));

    assertThat(core.active()).containsExactly(0, 1, 2);
    assertThat(effects).anyMatch(ClusterEffect.AnswerAborted.class::isInstance);
  }
}
