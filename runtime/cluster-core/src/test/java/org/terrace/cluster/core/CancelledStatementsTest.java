package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.StatementOutcome.Kind;

/**
 * Statements that are cancelled while servers are at them, where one or most of them are enough.
 */
class CancelledStatementsTest {
  private static final StatementOutcome DONE = StatementOutcome.done("1");
  private static final StatementOutcome GAVE_UP = new StatementOutcome(Kind.GAVE_UP, "57014");

  private static ClusterCore writing(WriteStrategy strategy) {
    ClusterCore core =
        new ClusterCore(new ClusterSettings(strategy, 1, 16), List.of(0, 1, 2), 1, 0, 0, 0);
    core.step(new ClusterEvent.Write(1, List.of()));
    return core;
  }

  @Test
  void whatIsDecidedIsNotGivenUp() {
    ClusterCore core = writing(WriteStrategy.WAIT_FIRST);
    core.step(new ClusterEvent.Executed(1, 0, 0, DONE));

    assertThat(core.step(new ClusterEvent.Cancelled(1, 0))).isEmpty();
  }

  @Test
  void whatIsNotDecidedIsUndoneWhateverServersSay() {
    ClusterCore core = writing(WriteStrategy.MAJORITY);
    core.step(new ClusterEvent.Executed(1, 0, 0, DONE));

    List<ClusterEffect> effects = core.step(new ClusterEvent.Cancelled(1, 0));

    assertThat(effects)
        .contains(new ClusterEffect.GiveUp(1))
        .filteredOn(ClusterEffect.AnswerAborted.class::isInstance)
        .singleElement()
        .extracting(effect -> ((ClusterEffect.AnswerAborted) effect).sqlState())
        .isEqualTo(SqlStates.QUERY_CANCELED);
    core.step(new ClusterEvent.Executed(1, 0, 1, DONE));
    core.step(new ClusterEvent.Executed(1, 0, 2, GAVE_UP));
    assertThat(core.active()).containsExactly(0, 1, 2);
  }

  /** A request may come when the client is at its next statement. */
  @Test
  void theNextStatementIsNotGivenUp() {
    ClusterCore core = writing(WriteStrategy.WAIT_FIRST);
    core.step(new ClusterEvent.Executed(1, 0, 0, DONE));
    core.step(new ClusterEvent.Write(1, List.of()));

    assertThat(core.step(new ClusterEvent.Cancelled(1, 0))).isEmpty();
    assertThat(core.step(new ClusterEvent.Cancelled(1, 1))).isNotEmpty();
  }

  @Test
  void whatWaitsForALockIsToldThatItWasCancelled() {
    LockDemand demand = new LockDemand(Lockable.ofTable("kept"), LockMode.EXCLUSIVE);
    ClusterCore core = writing(WriteStrategy.WAIT_ALL);
    core.step(new ClusterEvent.Write(2, List.of(demand)));
    core.step(new ClusterEvent.Write(3, List.of(demand)));

    assertThat(core.step(new ClusterEvent.Cancelled(3, 0)))
        .filteredOn(ClusterEffect.AnswerAborted.class::isInstance)
        .singleElement()
        .extracting(effect -> ((ClusterEffect.AnswerAborted) effect).sqlState())
        .isEqualTo(SqlStates.QUERY_CANCELED);
  }

  /** It is compared when all have come to its end. */
  @Test
  void whatMayStayIsNotUndone() {
    ClusterCore core =
        new ClusterCore(
            new ClusterSettings(WriteStrategy.WAIT_ALL, 1, 16), List.of(0, 1), 1, 0, 0, 0);
    core.step(new ClusterEvent.Write(1, List.of(), true, true));

    assertThat(core.step(new ClusterEvent.Cancelled(1, 0)))
        .containsExactly(new ClusterEffect.GiveUp(1));
    core.step(new ClusterEvent.Executed(1, 0, 0, DONE));
    core.step(new ClusterEvent.Executed(1, 0, 1, GAVE_UP));
    assertThat(core.active()).containsExactly(0);
  }
}
