package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.StatementOutcome;

/**
 * The hand-over of results from the replicas' threads to their client: of each order of the steps
 * of the two, all but the chosen result are closed, once.
 */
class ReplicaResultsTest {
  private static final StatementOutcome OUTCOME = StatementOutcome.done("1 row");
  private static final int CHOSEN = 0;
  private static final int OTHER = 1;

  private final List<String> closed = new ArrayList<>();
  private final ReplicaResults<String> results = new ReplicaResults<>(closed::add);

  private void other() {
    results.done(OTHER, OUTCOME, "other");
  }

  /** The steps of the other replica's thread and of the client's, as its place among those. */
  @Test
  void resultThatIsNotChosenIsClosedWheneverItComes() throws SQLException {
    for (int place = 0; place <= 2; place++) {
      closed.clear();
      ReplicaResults<String> all = new ReplicaResults<>(closed::add);
      all.done(CHOSEN, OUTCOME, "chosen");
      for (int step = 0; step <= 2; step++) {
        if (step == place) {
          all.done(OTHER, OUTCOME, "other");
        }
        switch (step) {
          case 0 -> assertThat(all.choose(CHOSEN)).isEqualTo("chosen");
          case 1 -> all.discard(OTHER);
          default -> {}
        }
      }
      all.discard(OTHER);
      all.discard(CHOSEN);

      assertThat(closed).as("it came before step %d", place).containsExactly("other");
    }
  }

  /**
   * A thread that brings a result while one is chosen comes before that or after it, as a whole.
   */
  @Test
  void resultThatComesWhileOneIsChosenIsClosed() throws SQLException {
    for (int round = 0; round < 500; round++) {
      closed.clear();
      ReplicaResults<String> all = new ReplicaResults<>(closed::add);
      all.done(CHOSEN, OUTCOME, "chosen");
      Thread other = Thread.startVirtualThread(() -> all.done(OTHER, OUTCOME, "other"));
      assertThat(all.choose(CHOSEN)).isEqualTo("chosen");
      all.discard(OTHER);
      Between.until(() -> !other.isAlive());

      assertThat(closed).as("round %d", round).containsExactly("other");
    }
  }

  @Test
  void failureOfTheChosenIsTheClients() {
    SQLException failure = new SQLException("duplicate key");
    results.failed(CHOSEN, OUTCOME, failure);
    other();

    assertThatThrownBy(() -> results.choose(CHOSEN)).isSameAs(failure);
    assertThat(results.outcome(CHOSEN)).isEqualTo(OUTCOME);
    results.discard(OTHER);
    assertThat(closed).containsExactly("other");
  }

  @Test
  void whoIsChosenMustHaveAnswered() {
    assertThatThrownBy(() -> results.choose(CHOSEN)).hasMessageContaining("no outcome");
  }
}
