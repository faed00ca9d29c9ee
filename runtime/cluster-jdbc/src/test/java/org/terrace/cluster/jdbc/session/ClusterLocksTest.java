package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Advisory and named locks, which are the cluster's, over two real servers of each engine. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ClusterLocksTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void advisoryLocksAreTheClusters() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = replicas.open("?lockWaitMillis=400");
        Connection one = source.getConnection();
        Connection two = source.getConnection()) {
      locksOfSessionsExcludeEachOther(one, two);
      noServerKnowsThem(one, replicas);
      locksOfTransactionsEndWithThem(one, two);
      aCircleIsRefused(source);
      aWaitIsCancelled(source, "SELECT pg_advisory_lock(9)", "57014", 0);
      settingsGoWithTheSession(two);
      settingsChangeWhileWriting(source, replicas);
      waitsForRowsEnd(source, "55P03", 0);
      assertThatThrownBy(() -> ask(one, "SELECT 1 WHERE pg_try_advisory_lock(1)"))
          .hasMessageContaining("call it alone");
    }
  }

  private static void locksOfSessionsExcludeEachOther(Connection one, Connection two)
      throws SQLException {
    assertThat(ask(one, "SELECT pg_advisory_lock(?)", 7L)).isEmpty();
    assertThat(ask(one, "SELECT pg_try_advisory_lock(7) AS mine")).isEqualTo("t");
    assertThat(ask(two, "SELECT pg_try_advisory_lock(7)")).isEqualTo("f");
    assertThat(ask(two, "SELECT pg_try_advisory_lock(0, 7)")).isEqualTo("t");
    assertThat(ask(two, "SELECT pg_try_advisory_lock_shared(hashtext('seven'))")).isEqualTo("t");
    assertThat(ask(one, "SELECT pg_try_advisory_lock_shared(hashtext('seven'))")).isEqualTo("t");
    assertThatThrownBy(() -> ask(two, "SELECT pg_advisory_lock(7)"))
        .isInstanceOf(SQLException.class)
        .extracting(failure -> ((SQLException) failure).getSQLState())
        .isEqualTo("55P03");
    assertThat(ask(two, "SELECT pg_advisory_unlock(7)")).isEqualTo("f");
    assertThat(ask(one, "SELECT pg_advisory_unlock(7)")).isEqualTo("t");
    assertThat(ask(two, "SELECT pg_try_advisory_lock(7)")).isEqualTo("f");
    assertThat(ask(one, "SELECT pg_advisory_unlock(7)")).isEqualTo("t");
    assertThat(ask(two, "SELECT pg_try_advisory_lock(7)")).isEqualTo("t");
    assertThat(ask(two, "SELECT pg_advisory_unlock_all()")).isEmpty();
    assertThat(ask(one, "SELECT pg_try_advisory_lock(7)")).isEqualTo("t");
  }

  private static void noServerKnowsThem(Connection one, RealReplicas replicas) throws SQLException {
    assertThat(
            replicas.everywhere("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", 0, 1))
        .containsOnly("0\n");
    ask(one, "SELECT pg_advisory_unlock_all()");
  }

  private static void locksOfTransactionsEndWithThem(Connection one, Connection two)
      throws SQLException {
    one.setAutoCommit(false);
    ask(one, "SELECT pg_advisory_xact_lock(8)");
    assertThat(ask(two, "SELECT pg_try_advisory_xact_lock(8)")).isEqualTo("f");
    one.rollback();
    assertThat(ask(two, "SELECT pg_try_advisory_xact_lock(8)")).isEqualTo("t");
    ask(one, "SELECT pg_advisory_xact_lock(8)");
    one.commit();
    one.setAutoCommit(true);
    assertThat(ask(two, "SELECT pg_try_advisory_lock(8)")).isEqualTo("t");
    assertThat(ask(two, "SELECT pg_advisory_unlock(8)")).isEqualTo("t");
  }

  /** Two sessions, each of which wants what the other holds: one is refused, the other goes on. */
  private static void aCircleIsRefused(ClusterDataSource source) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        Connection one = source.getConnection();
        Connection two = source.getConnection()) {
      ask(one, "SELECT pg_advisory_lock(1)");
      ask(two, "SELECT pg_advisory_lock(2)");
      Future<String> first = executor.submit(() -> outcome(one, 2));
      Future<String> second = executor.submit(() -> outcome(two, 1));
      assertThat(new String[] {first.get(), second.get()})
          .containsExactlyInAnyOrder("40001", "got it");
    }
  }

  /** Asks again and again, as what is cancelled may only be about to wait. */
  private static void aWaitIsCancelled(
      ClusterDataSource source, String lock, String state, int code) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        Connection one = source.getConnection();
        Connection two = source.getConnection();
        Statement statement = two.createStatement()) {
      ask(one, lock);
      Future<Boolean> waiting = executor.submit(() -> statement.execute(lock));
      assertThat(Await.until(SOON, () -> isDoneOrCancels(waiting, statement))).isTrue();
      assertThatThrownBy(waiting::get)
          .cause()
          .isInstanceOfSatisfying(
              SQLException.class,
              failure -> {
                assertThat(failure.getSQLState()).isEqualTo(state);
                assertThat(failure.getErrorCode()).isEqualTo(code);
              });
    }
  }

  private static boolean isDoneOrCancels(Future<Boolean> waiting, Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return waiting.isDone();
  }

  /** Asks for a lock; who is refused ends its session, so that the other may go on. */
  private static String outcome(Connection connection, int key) throws SQLException {
    try {
      ask(connection, "SELECT pg_advisory_lock(" + key + ")");
      return "got it";
    } catch (SQLException e) {
      connection.close();
      return e.getSQLState();
    }
  }

  /** A real connection whose session was changed within a transaction is dropped after it. */
  private static void settingsGoWithTheSession(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    assertThat(ask(connection, "SELECT set_config('search_path', ?, false)", "pg_catalog"))
        .isEqualTo("pg_catalog");
    connection.commit();
    for (int i = 0; i < 4; i++) {
      assertThat(ask(connection, "SHOW search_path")).isEqualTo("pg_catalog");
      connection.commit();
    }
    connection.setAutoCommit(true);
  }

  /** At every server, to the end of the transaction or of the session, as at one server. */
  private static void settingsChangeWhileWriting(ClusterDataSource source, RealReplicas replicas)
      throws SQLException {
    try (Connection connection = source.getConnection();
        Connection other = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE noted (name text)");
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO noted VALUES ('one')");
      statement.execute("SET search_path = pg_catalog, public");
      assertThat(ask(connection, "SHOW search_path")).isEqualTo("pg_catalog, public");
      statement.execute("INSERT INTO noted VALUES (current_setting('search_path'))");
      connection.commit();
      for (int i = 0; i < 4; i++) {
        assertThat(ask(other, "SHOW search_path")).isEqualTo("\"$user\", public");
      }
      assertThat(ask(connection, "SHOW search_path")).isEqualTo("pg_catalog, public");
      statement.execute("INSERT INTO noted VALUES ('gone')");
      statement.execute("SET search_path = public");
      connection.rollback();
      assertThat(ask(connection, "SHOW search_path")).isEqualTo("pg_catalog, public");
      connection.rollback();
    }
    assertThat(replicas.everywhere("SELECT name FROM noted", 0, 1))
        .containsOnly("one\npg_catalog, public\n");
  }

  /**
   * Checks that a session that waits for another's write is told which one that is, and can go on.
   */
  private static void waitsForRowsEnd(ClusterDataSource source, String state, int code)
      throws Exception {
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        Connection one = source.getConnection();
        Connection two = source.getConnection();
        Statement first = one.createStatement();
        Statement second = two.createStatement()) {
      first.execute("CREATE TABLE held (id bigint)");
      one.setAutoCommit(false);
      two.setAutoCommit(false);
      executor.submit(() -> first.execute("INSERT INTO held VALUES (1)")).get();
      assertThatThrownBy(() -> second.execute("UPDATE held SET id = 2"))
          .hasMessageContaining("waited for 400 ms (lockWaitMillis) for the table held")
          .hasMessageContaining("(last statement: INSERT INTO held VALUES (1))")
          .isInstanceOfSatisfying(
              SQLException.class,
              failure -> {
                assertThat(failure.getSQLState()).isEqualTo(state);
                assertThat(failure.getErrorCode()).isEqualTo(code);
              });
      assertThatThrownBy(() -> second.execute("UPDATE held SET id = 2"))
          .extracting(failure -> ((SQLException) failure).getSQLState())
          .isEqualTo("25P02");
      two.rollback();
      one.commit();
      assertThat(second.executeUpdate("UPDATE held SET id = 2")).isEqualTo(1);
      two.commit();
    }
  }

  @Test
  void namedLocksAreTheClusters() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("mariadb", 2);
        ClusterDataSource source = replicas.open("?lockWaitMillis=400");
        Connection two = source.getConnection()) {
      try (Connection one = source.getConnection()) {
        assertThat(ask(one, "SELECT GET_LOCK(?, ?)", "Migration", 10)).isEqualTo("1");
        assertThat(ask(one, "SELECT GET_LOCK('migration', 0)")).isEqualTo("1");
        assertThat(ask(two, "SELECT GET_LOCK('migration', 0.1)")).isEqualTo("0");
        assertThat(ask(two, "SELECT IS_FREE_LOCK('migration')")).isEqualTo("0");
        assertThat(ask(two, "SELECT RELEASE_LOCK('migration')")).isEqualTo("0");
        assertThat(ask(two, "SELECT RELEASE_LOCK('nothing')")).isEqualTo("null");
        assertThat(replicas.everywhere("SELECT IS_FREE_LOCK('migration')", 0, 1))
            .containsOnly("1\n");
        assertThat(ask(one, "SELECT RELEASE_LOCK('migration')")).isEqualTo("1");
        assertThat(ask(two, "SELECT GET_LOCK('migration', 0)")).isEqualTo("0");
      }
      assertThat(ask(two, "SELECT GET_LOCK('migration', 0)")).isEqualTo("1");
      assertThat(ask(two, "SELECT RELEASE_ALL_LOCKS()")).isEqualTo("1");
      assertThat(ask(two, "SELECT IS_USED_LOCK('migration')")).isEqualTo("null");
      aWaitIsCancelled(source, "SELECT GET_LOCK('wanted', 1000000)", "70100", 1317);
      waitsForRowsEnd(source, "HY000", 1205);
    }
  }

  private static String ask(Connection connection, String query, Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return String.valueOf(rows.getString(1));
      }
    }
  }
}
