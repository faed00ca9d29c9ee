package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.SqlStates;

/**
 * The answer that a thread waits for, and the question to the core that it belongs to. A question
 * becomes the one under way in the same step in which its event is posted, so that no answer to an
 * earlier one is taken for its own. A question that another thread replaces fails, and so does
 * every one after the end. Thread-safe.
 *
 * @param <Q> what those who do the core's effects need of a question
 * @param <A> an answer
 */
final class PendingAnswer<Q, A> {
  private final EventSteps<ClusterEvent> steps;
  private Q question;
  private @Nullable CompletableFuture<A> answer;
  private @Nullable SQLException end;

  /**
   * An answer for which no question was put yet.
   *
   * @param first what {@link #question} says before there was one
   */
  PendingAnswer(EventSteps<ClusterEvent> steps, Q first) {
    this.steps = steps;
    this.question = first;
  }

  /** Puts a question by an event, and gives the answer that will come. */
  CompletableFuture<A> ask(Q next, ClusterEvent event) {
    return steps.between(() -> {
      CompletableFuture<A> asked = new CompletableFuture<>();
      if (answer != null && !answer.isDone()) {
        answer.completeExceptionally(
            new SQLException("Another thread ended it meanwhile.", SqlStates.CLOSED));
      }
      question = next;
      answer = asked;
      if (end == null) {
        steps.post(event);
      } else {
        asked.completeExceptionally(new SQLException(end.getMessage(), end.getSQLState(), end));
      }
      return asked;
    });
  }

  /** The last question. */
  Q question() {
    return steps.between(() -> question);
  }

  /** Answers the question under way. */
  void answered(A value) {
    steps.between(() -> answer != null && answer.complete(value));
  }

  /** Lets the question under way fail. */
  void failed(SQLException failure) {
    steps.between(() -> answer != null && answer.completeExceptionally(failure));
  }

  /** Lets the question under way fail, and all that would come. */
  void end(SQLException failure) {
    steps.between(() -> {
      end = failure;
      return answer != null && answer.completeExceptionally(failure);
    });
  }
}
