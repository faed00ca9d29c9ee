package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.core.ClusterEvent;

/**
 * The hand-over of an answer from the thread that does a core's step to the one that asked. The
 * asking thread posts its event between its other steps, so a core that answers, or lets another
 * thread answer, as it takes the event puts that thread there.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PendingAnswerTest {
  private static final ClusterEvent EVENT = new ClusterEvent.Commit(1);

  private final List<Consumer<PendingAnswer<String, Integer>>> core = new ArrayList<>();
  private final EventSteps<ClusterEvent> steps = new EventSteps<>(this::step);
  private final PendingAnswer<String, Integer> pending = new PendingAnswer<>(steps, "none");

  private void step(ClusterEvent event) {
    if (!core.isEmpty()) {
      core.removeFirst().accept(pending);
    }
  }

  private int ask(String question) throws SQLException {
    return Answers.await(pending.ask(question, EVENT));
  }

  @Test
  void answerMayComeBeforeTheWaitBegins() throws SQLException {
    core.add(asked -> asked.answered(7));

    assertThat(ask("first")).isEqualTo(7);
  }

  @Test
  void answerMayComeWhileTheWaitIsOn() throws SQLException {
    Thread asking = Thread.currentThread();
    core.add(asked ->
        Thread.startVirtualThread(() -> {
          Between.until(() -> asking.getState() == Thread.State.WAITING);
          asked.answered(7);
        }));

    assertThat(ask("first")).isEqualTo(7);
  }

  /** The step that a thread does for a question before must not be taken for this one's. */
  @Test
  void answerToTheQuestionBeforeIsNotTakenForThisOnes() throws SQLException {
    CompletableFuture<Integer> first = pending.ask("first", EVENT);
    List<CompletableFuture<Integer>> second = new ArrayList<>();
    List<Boolean> answeredTooEarly = new ArrayList<>();
    Thread asking =
        steps.between(() -> {
          // A step of the core is under way: who asks now is held up before it has begun.
          Thread other = Between.start(() -> second.add(pending.ask("second", EVENT)));
          assertThat(pending.question()).isEqualTo("first");
          pending.answered(1);
          answeredTooEarly.add(!second.isEmpty());
          return other;
        });
    Between.until(() -> asking.getState() == Thread.State.TERMINATED);

    assertThat(answeredTooEarly).containsExactly(false);
    assertThat(Answers.await(first)).isEqualTo(1);
    assertThat(second.getFirst()).isNotDone();
    pending.answered(2);
    assertThat(Answers.await(second.getFirst())).isEqualTo(2);
  }

  /** Between the note of a question and its event there is no room for another thread. */
  @Test
  void questionAndItsEventAreOneStep() throws SQLException {
    core.add(asked -> {
      assertThat(asked.question()).isEqualTo("first");
      Between.start(() -> asked.answered(1));
      asked.answered(7);
    });

    assertThat(ask("first")).isEqualTo(7);
  }

  @Test
  void whoIsReplacedByAnotherThreadIsToldSo() {
    core.add(asked -> {});
    CompletableFuture<Integer> first = pending.ask("statement", EVENT);
    CompletableFuture<Integer> second = pending.ask("rollback", EVENT);

    assertThatThrownBy(() -> Answers.await(first)).hasMessageContaining("Another thread ended it");
    assertThat(second).isNotDone();
  }

  @Test
  void endMayComeBetweenAnyTwoQuestions() throws SQLException {
    core.add(asked -> asked.answered(7));
    assertThat(ask("first")).isEqualTo(7);
    SQLException end = new SQLException("over");
    core.add(asked -> asked.end(end));
    assertThatThrownBy(() -> ask("second")).isSameAs(end);
    core.add(asked -> asked.answered(7));

    assertThatThrownBy(() -> ask("third"))
        .as("whoever closes after a failure suppresses the second one")
        .isNotSameAs(end)
        .hasMessage("over")
        .hasCause(end);
    assertThat(core).as("no event after the end").hasSize(1);
  }

  @Test
  void answerMayComeAsTheTimeForItIsUp() throws SQLException {
    core.add(asked -> {});
    CompletableFuture<Integer> late = pending.ask("first", EVENT);

    assertThat(Answers.await(late, Duration.ZERO, () -> pending.answered(7))).isEqualTo(7);
    CompletableFuture<Integer> failing = pending.ask("second", EVENT);
    SQLException waited = new SQLException("waited too long");
    assertThatThrownBy(() -> Answers.await(failing, Duration.ZERO, () -> pending.failed(waited)))
        .isSameAs(waited);
  }
}
