package org.terrace.cluster.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import org.terrace.cluster.server.connection.TrackedConnection;
import org.terrace.cluster.server.copy.TwoServers;
import org.terrace.cluster.sql.Engine;
import org.terrace.testing.Await;

/** The connections to real servers, whose time is told to them. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class ServerConnectionsTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration LIMIT = Duration.ofSeconds(80);
  private static final Duration STEP = LIMIT.dividedBy(8);

  private long nowNanos = 1;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whoWaitsWhileItsServerHasNothingToDoForItIsCut(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (TwoServers servers = new TwoServers(engine);
        Connection asking = servers.connect(0)) {
      ServerConnections connections =
          new ServerConnections(
              postgres ? Engine.POSTGRESQL : Engine.MARIADB, () -> servers.connect(0), LIMIT);
      try (Connection busy = connections.getConnection();
          Connection idle = connections.getConnection();
          Connection silent = connections.getConnection()) {
        silent.setAutoCommit(false);
        execute(silent, "SELECT 1");
        CompletableFuture<Void> asleep = sleep(busy, postgres ? "pg_sleep(600)" : "SLEEP(600)");
        assertThat(Await.until(SOON, () -> isAsleep(asking, postgres))).isTrue();
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<String> answer = awaitAnswer(silent, over);

        ask(connections, asking, LIMIT.minus(STEP));
        assertThat(silent.isClosed()).isFalse();
        ask(connections, asking, LIMIT.multipliedBy(2));

        assertThat(Await.until(SOON, () -> isClosed(silent))).isTrue();
        over.complete(null);
        assertThat(answer).succeedsWithin(SOON).asString().contains("silent for");
        assertThat(busy.isClosed()).isFalse();
        assertThat(asleep).isNotDone();
        assertThat(idle.isClosed()).isFalse();
        connections.cut();
        assertThat(Await.until(SOON, () -> isClosed(busy) && isClosed(idle))).isTrue();
        assertThat(asleep).failsWithin(SOON);
      }
    }
  }

  /** The backend that a pooler names is no session of the server, or another client's. */
  @Test
  void nobodyIsCutBehindAPoolerThatMakesTheSessionUp() throws Exception {
    try (TwoServers servers = new TwoServers("postgresql");
        Connection asking = servers.connect(0);
        Connection other = servers.connect(0)) {
      int otherPid = other.unwrap(PGConnection.class).getBackendPID();
      for (int pid : new int[] {Integer.MAX_VALUE, otherPid}) {
        ServerConnections connections =
            new ServerConnections(Engine.POSTGRESQL, () -> namedAs(pid, servers.connect(0)), LIMIT);
        try (Connection busy = connections.getConnection()) {
          CompletableFuture<Void> asleep = sleep(busy, "pg_sleep(600)");
          assertThat(Await.until(SOON, () -> isAsleep(asking, true))).isTrue();

          ask(connections, asking, LIMIT.multipliedBy(2));

          assertThat(asleep).isNotDone();
          assertThat(isAsleep(asking, true)).isTrue();
          execute(
              asking,
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE wait_event = 'PgSleep'");
          assertThat(asleep).failsWithin(SOON);
          execute(other, "SELECT 1");
        }
      }
    }
  }

  @Test
  void nothingIsCutIfTheServerRefusesToTell() throws Exception {
    try (TwoServers servers = new TwoServers("postgresql");
        Connection asking = servers.connect(0)) {
      ServerConnections connections =
          new ServerConnections(Engine.POSTGRESQL, () -> servers.connect(0), LIMIT);
      try (Connection silent = connections.getConnection()) {
        execute(asking, "CREATE TABLE public.pg_stat_activity (LIKE pg_stat_activity)");
        execute(asking, "REVOKE ALL ON public.pg_stat_activity FROM " + TwoServers.DATABASE);
        execute(asking, "SET search_path = public, pg_catalog");
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<String> answer = awaitAnswer(silent, over);

        ask(connections, asking, LIMIT.multipliedBy(2));

        assertThat(silent.isClosed()).isFalse();
        over.complete(null);
        assertThat(answer).succeedsWithin(SOON).isEqualTo("The socket is closed.");
      }
    }
  }

  /** A connection that names a backend of a pooler's. */
  private static Connection namedAs(int pid, Connection real) {
    PGConnection pooled =
        (PGConnection)
            Proxy.newProxyInstance(
                ServerConnectionsTest.class.getClassLoader(),
                new Class<?>[] {PGConnection.class},
                (_, method, arguments) ->
                    method.getName().equals("getBackendPID")
                        ? pid
                        : method.invoke(real.unwrap(PGConnection.class), arguments));
    return (Connection)
        Proxy.newProxyInstance(
            ServerConnectionsTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) ->
                method.getName().equals("unwrap") && arguments[0] == PGConnection.class
                    ? pooled
                    : method.invoke(real, arguments));
  }

  /** Lets so much time pass in the steps of a watch. */
  private void ask(ServerConnections connections, Connection asking, Duration time)
      throws SQLException {
    for (long end = nowNanos + time.toNanos(); nowNanos < end; nowNanos += STEP.toNanos()) {
      connections.cutSilent(asking, nowNanos);
    }
  }

  /** Waits in a call for an answer that does not come. */
  private static CompletableFuture<String> awaitAnswer(
      Connection connection, CompletableFuture<Void> over) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<String> failure = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        boolean _ =
            TrackedConnection.piece(
                connection,
                () -> {
                  begun.complete(null);
                  over.join();
                  throw new SQLException("The socket is closed.");
                });
      } catch (SQLException e) {
        failure.complete(String.valueOf(e.getMessage()));
      }
    });
    begun.join();
    return failure;
  }

  private static CompletableFuture<Void> sleep(Connection connection, String call) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        execute(connection, "SELECT " + call);
        done.complete(null);
      } catch (SQLException e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean isAsleep(Connection asking, boolean postgres) {
    String question =
        postgres
            ? "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            : "SELECT count(*) FROM information_schema.processlist WHERE state = 'User sleep'";
    try (Statement statement = asking.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      return answer.next() && answer.getInt(1) == 1;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
