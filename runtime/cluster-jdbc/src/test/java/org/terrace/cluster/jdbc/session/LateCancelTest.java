package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.MeddlingDriver;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * Writes that are cancelled, or whose time is over, where one server is enough, which may have done
 * them by then.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class LateCancelTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration PAST_THE_LIMIT = Duration.ofSeconds(3);
  private static final String ROW = "SELECT name FROM kept WHERE id = 1";

  /** One server does the write when the first of both is about to be asked to end it. */
  @Test
  void noServerIsTakenOutThatIsAskedToEndWhatAnotherHasDone(@TempDir Path log) throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://127.0.0.1/shop")) {
      driver.watch();
      try (ClusterDataSource source =
              replicas.open("?writes=wait-first&lockWaitMillis=600000&log=" + log);
          Connection first = replicas.direct(0);
          Connection second = replicas.direct(1);
          Connection client = source.getConnection();
          Statement statement = client.createStatement()) {
        statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, name INT)");
        statement.execute("INSERT INTO kept VALUES (1, 0)");
        assertThat(Await.until(SOON, () -> isEverywhere(replicas, "0\n"))).isTrue();
        client.setAutoCommit(false);
        lock(first);
        lock(second);
        CompletableFuture<String> told = new CompletableFuture<>();
        Thread.startVirtualThread(() -> told.complete(stateOf(statement, 1)));
        assertThat(Await.until(SOON, () -> waiting(replicas, 0) + waiting(replicas, 1) == 2))
            .isTrue();
        driver.beforeCancel(() -> {
          letGo(first);
          assertThat(Await.until(SOON, () -> waiting(replicas, 0) == 0)).isTrue();
        });
        statement.cancel();

        assertThat(told).succeedsWithin(SOON);
        assertThat(Await.until(SOON, () -> waiting(replicas, 1) == 0)).isTrue();
        client.rollback();
        letGo(second);
        assertThat(told.join()).isEqualTo("57014");
        assertThat(stateOf(statement, 2)).isEqualTo("it was done");
        client.commit();
        assertThat(Await.until(SOON, () -> isEverywhere(replicas, "2\n"))).isTrue();
        assertThat(source.losses()).isEmpty();
      }
    }
  }

  /** The limit is of what the client waits for, which has its answer. */
  @Test
  void noServerIsTakenOutThatIsStillAtItWhenTheTimeIsOver(@TempDir Path log) throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source =
            replicas.open("?writes=wait-first&lockWaitMillis=600000&log=" + log);
        Connection slow = replicas.direct(1);
        Connection client = source.getConnection();
        Statement statement = client.createStatement()) {
      statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, name INT)");
      statement.execute("INSERT INTO kept VALUES (1, 0)");
      assertThat(Await.until(SOON, () -> isEverywhere(replicas, "0\n"))).isTrue();
      lock(slow);
      statement.setQueryTimeout(1);
      assertThat(stateOf(statement, 1)).isEqualTo("it was done");
      assertThat(Await.until(SOON, () -> waiting(replicas, 1) == 1)).isTrue();

      assertThat(Await.until(PAST_THE_LIMIT, () -> waiting(replicas, 1) == 0)).isFalse();
      letGo(slow);
      assertThat(Await.until(SOON, () -> isEverywhere(replicas, "1\n"))).isTrue();
      assertThat(source.losses()).isEmpty();

      lock(slow, "1\n");
      try (Connection first = replicas.direct(0)) {
        lock(first, "1\n");
        assertThat(stateOf(statement, 2)).isEqualTo("57014");
        letGo(first);
      }
      letGo(slow);
      assertThat(source.losses()).isEmpty();
    }
  }

  /** A time that is over while values are found for it, with all connections lent, is over. */
  @Test
  void aTimeThatEndsBeforeTheWaitForALockEndsThat(@TempDir Path log) throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = replicas.open("?poolSize=2&lockWaitMillis=600000&log=" + log);
        Connection client = source.getConnection();
        Statement statement = client.createStatement()) {
      statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, at TIMESTAMP)");
      statement.execute("INSERT INTO kept VALUES (1, NULL)");
      CompletableFuture<String> told = new CompletableFuture<>();
      try (Connection holder = source.getConnection();
          Statement holding = holder.createStatement()) {
        holder.setAutoCommit(false);
        holding.execute("UPDATE kept SET at = NULL WHERE id = 1");
        List<Connection> readers = List.of(reader(source), reader(source));
        statement.setQueryTimeout(1);
        Thread.startVirtualThread(() -> told.complete(stateOf(statement)));
        assertThat(Await.until(PAST_THE_LIMIT, told::isDone)).isFalse();
        for (Connection reader : readers) {
          reader.close();
        }

        assertThat(told).succeedsWithin(SOON).isEqualTo("57014");
        holder.rollback();
      }
      assertThat(source.losses()).isEmpty();
    }
  }

  private static String stateOf(Statement statement) {
    try {
      statement.execute("UPDATE kept SET at = now() WHERE id = 1");
      return "it was done";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  /** A connection in a transaction that has read, and so keeps one of a pool's. */
  private static Connection reader(ClusterDataSource source) throws SQLException {
    Connection reader = source.getConnection();
    reader.setAutoCommit(false);
    try (Statement statement = reader.createStatement()) {
      statement.executeQuery("SELECT id FROM kept").close();
    }
    return reader;
  }

  /** The wait for a lock of the cluster's is told as the limit's end, by whichever kind. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void theTimeCountsEachWaitForALock(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("?lockWaitMillis=600000");
        Connection holder = source.getConnection();
        Connection client = source.getConnection();
        Statement statement = client.createStatement()) {
      statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, name INT)");
      statement.execute("INSERT INTO kept VALUES (1, 0)");
      holder.setAutoCommit(false);
      try (Statement holds = holder.createStatement()) {
        holds.executeUpdate("UPDATE kept SET name = 1 WHERE id = 1");
      }
      statement.setQueryTimeout(1);
      for (boolean autoCommit : new boolean[] {true, false}) {
        client.setAutoCommit(autoCommit);
        for (String sql :
            List.of(
                "UPDATE kept SET name = 2 WHERE id = 1",
                ROW + " FOR UPDATE",
                "ALTER TABLE kept ADD COLUMN more INT")) {
          CompletableFuture<String> told = new CompletableFuture<>();
          Thread.startVirtualThread(() -> told.complete(stateOf(statement, sql)));
          assertThat(told).as(sql).succeedsWithin(SOON).isEqualTo("57014");
          if (!autoCommit) {
            client.rollback();
          }
        }
      }
      holder.commit();
      assertThat(source.losses()).isEmpty();
    }
  }

  private static String stateOf(Statement statement, int name) {
    return stateOf(statement, "UPDATE kept SET name = " + name + " WHERE id = 1");
  }

  private static String stateOf(Statement statement, String sql) {
    try {
      statement.execute(sql);
      return "it was done";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  private static void lock(Connection holder) throws SQLException {
    lock(holder, "0\n");
  }

  private static void lock(Connection holder, String name) throws SQLException {
    holder.setAutoCommit(false);
    assertThat(RealReplicas.rows(holder, ROW + " FOR UPDATE")).isEqualTo(name);
  }

  private static void letGo(Connection holder) {
    try {
      holder.rollback();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isEverywhere(RealReplicas replicas, String name) {
    return ask(replicas, 0, ROW).equals(name) && ask(replicas, 1, ROW).equals(name);
  }

  private static int waiting(RealReplicas replicas, int server) {
    String query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    return Integer.parseInt(ask(replicas, server, query).strip());
  }

  private static String ask(RealReplicas replicas, int server, String query) {
    try {
      return replicas.everywhere(query, server).getFirst();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
