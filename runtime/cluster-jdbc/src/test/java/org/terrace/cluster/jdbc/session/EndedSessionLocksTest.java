package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.sql.StatementAnalysis;
import org.terrace.testing.Await;

/** Locks of sessions whose client never learns that it has them. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(90)
class EndedSessionLocksTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aWaitEndsWithItsSession(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 1);
        DatabaseCluster cluster = open(replicas);
        Connection holder = new ClusterConnection(cluster, () -> {});
        Connection waiting = new ClusterConnection(cluster, () -> {});
        Connection third = new ClusterConnection(cluster, () -> {})) {
      RealReplicas.rows(holder, lock(engine));
      CompletableFuture<String> outcome = new CompletableFuture<>();
      Thread client =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  outcome.complete(RealReplicas.rows(waiting, lock(engine)));
                } catch (SQLException e) {
                  outcome.complete(e.toString());
                }
              });
      assertThat(Await.until(SOON, () -> waitsForLock(client))).isTrue();
      waiting.abort(Runnable::run);
      holder.abort(Runnable::run);

      assertThat(outcome).succeedsWithin(SOON);
      assertThat(RealReplicas.rows(third, attempt(engine))).matches("[1t]\n");
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aLockWhoseClientIsNotToldIsLetGo(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 1);
        DatabaseCluster cluster = open(replicas);
        Connection other = new ClusterConnection(cluster, () -> {})) {
      StatementAnalysis analysis = cluster.analyzer().analyze(lock(engine));
      String result = Objects.requireNonNull(analysis.lock()).result();
      SessionReads reads = new SessionReads(cluster, List.of(), cluster.newSession());
      SessionValues.Reader interrupted =
          (request, running) -> {
            if (request.sql().equals(result)) {
              throw Answers.interrupted(new InterruptedException());
            }
            return reads.anywhere(request, running);
          };
      SessionLocks locks = new SessionLocks(cluster, cluster.newSession());
      try {
        assertThatThrownBy(() ->
                locks.call(
                    StatementRequest.own(lock(engine)),
                    analysis,
                    interrupted,
                    new RunningStatements()))
            .hasMessageContaining("interrupted");
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }

      assertThat(RealReplicas.rows(other, attempt(engine))).matches("[1t]\n");
    }
  }

  private static DatabaseCluster open(RealReplicas replicas) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    return DatabaseCluster.open(
        ClusterUrl.parse(replicas.url(RealReplicas.patient("")), properties));
  }

  private static String lock(String engine) {
    return engine.equals("mariadb") ? "SELECT GET_LOCK('x', 60)" : "SELECT pg_advisory_lock(1)";
  }

  private static String attempt(String engine) {
    return engine.equals("mariadb") ? "SELECT GET_LOCK('x', 0)" : "SELECT pg_try_advisory_lock(1)";
  }

  private static boolean waitsForLock(Thread client) {
    return client.getState() == Thread.State.TIMED_WAITING
        && Stream.of(client.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(NamedLocks.class.getName()));
  }
}
