package org.terrace.cluster.jdbc.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.CommitProgress;
import org.terrace.cluster.core.CommitProgress.AtReplica;
import org.terrace.cluster.core.FreshnessToken;
import org.terrace.testing.OtherThread;

/** The replicas that a session may read from while one of two is behind. */
class FreshReplicasTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final CommitProgress BEHIND =
      new CommitProgress(7, Map.of(0, new AtReplica(Long.MAX_VALUE, 7), 1, new AtReplica(6, 5)));
  private static final CommitProgress EVEN =
      new CommitProgress(
          7, Map.of(0, new AtReplica(Long.MAX_VALUE, 7), 1, new AtReplica(Long.MAX_VALUE, 7)));

  private volatile List<Integer> active = List.of(0, 1);
  private final FreshReplicas replicas = new FreshReplicas(BEHIND, () -> active);

  @Test
  void whoLacksWhatTheSessionSawIsLeftOut() throws SQLException {
    assertThat(replicas.allowed(FreshnessToken.NONE, LONG)).containsExactly(0, 1);
    FreshnessToken older = FreshnessToken.NONE.afterRead(1, BEHIND);
    assertThat(replicas.allowed(older, LONG)).containsExactly(0, 1);
    FreshnessToken newer = older.afterRead(0, BEHIND);
    assertThat(replicas.allowed(newer, LONG)).containsExactly(0);
    assertThat(replicas.allowed(older.afterCommit(7, 0, BEHIND), LONG)).containsExactly(0);
    assertThat(replicas.allowed(older.afterAll(BEHIND), LONG)).containsExactly(0);
  }

  @Test
  void aSessionWaitsForWhoIsBehindWhenNoneElseIsLeft() throws Exception {
    FreshnessToken token = FreshnessToken.NONE.afterRead(0, BEHIND);
    active = List.of(1);
    AtomicReference<Object> found = new AtomicReference<>();
    Thread waiting =
        waiting(() -> {
          try {
            found.set(replicas.allowed(token, LONG));
          } catch (SQLException e) {
            found.set(e);
          }
        });
    assertThat(found.get()).isNull();

    replicas.progressed(EVEN);

    waiting.join();
    assertThat(found.get()).isEqualTo(List.of(1));
    assertThat(replicas.awaitEven(Duration.ZERO)).isTrue();
  }

  @Test
  void aWaitEndsWithTheTimeOrWithTheLastReplica() throws Exception {
    FreshnessToken token = FreshnessToken.NONE.afterRead(0, BEHIND);
    active = List.of(1);
    assertThatThrownBy(() -> replicas.allowed(token, Duration.ofMillis(1)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("what the session has seen");
    assertThat(replicas.awaitEven(Duration.ZERO)).isFalse();
    AtomicReference<Object> found = new AtomicReference<>();
    Thread waiting =
        waiting(() -> {
          try {
            found.set(replicas.allowed(token, LONG));
          } catch (SQLException e) {
            found.set(e);
          }
        });

    active = List.of();
    replicas.activeChanged();

    waiting.join();
    assertThat(found.get()).isEqualTo(List.of());
  }

  private static Thread waiting(Runnable task) {
    Thread thread = Thread.startVirtualThread(task);
    OtherThread.await(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }
}
