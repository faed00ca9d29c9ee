package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.jdbc.ClusterDataSource;

/** An application is told that a statement had no effect only where it had none. */
class UnknownOutcomesTest extends ConformanceServers {
  @Override
  boolean isThroughController() {
    return false;
  }

  /** A controller over one of the clusters, and a way to it that can be cut. */
  private record Way(ControllerServer controller, CuttingRelay relay) implements AutoCloseable {
    static Way to(DataSource source) throws IOException {
      ControllerServer controller = ControllerServer.start(source, "shop", "127.0.0.1", 0, "");
      return new Way(controller, CuttingRelay.to(controller::port));
    }

    Connection connect(String options) throws SQLException {
      return DriverManager.getConnection(
          "jdbc:terrace:controller://127.0.0.1:%d/shop%s".formatted(relay.port(), options));
    }

    Connection connect() throws SQLException {
      return connect("");
    }

    @Override
    public void close() {
      end();
    }

    void end() {
      try {
        relay.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        controller.close();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aDefinitionWithinATransactionIsNotCalledUndoneWhereItCommits(String engine)
      throws Exception {
    try (Way way = Way.to(source(engine))) {
      try (Connection connection = way.connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        insert(connection, 1);
        way.relay.cutAnswer(0, () -> {});
        assertThatThrownBy(() -> statement.executeUpdate("CREATE TABLE more (id int PRIMARY KEY)"))
            .satisfies(failure ->
                assertThat(state(failure)).isEqualTo(engine.equals(MARIADB) ? "08007" : "08006"));
      }
      try (Connection connection = way.connect();
          Statement statement = connection.createStatement()) {
        assertThat(names(connection)).hasSize(engine.equals(MARIADB) ? 1 : 0);
        statement.executeUpdate("DROP TABLE IF EXISTS more");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aPageThatIsLostDoesNotHideThatTheStatementTookEffect(String engine) throws Exception {
    try (Way way = Way.to(source(engine))) {
      try (Connection connection = way.connect();
          Statement statement = connection.createStatement()) {
        statement.setFetchSize(1);
        ResultSet rows =
            statement.executeQuery("INSERT INTO item (id) VALUES (1), (2), (3) RETURNING id");
        assertThat(rows.next()).isTrue();
        way.relay.cutAnswer(0, () -> {});
        assertThatThrownBy(rows::next).isInstanceOf(LostAnswerException.class);
      }
      try (Connection connection = way.connect();
          Statement statement = connection.createStatement()) {
        assertThat(names(connection)).hasSize(3);
        statement.setFetchSize(1);
        ResultSet rows = statement.executeQuery("SELECT id FROM item");
        assertThat(rows.next()).isTrue();
        way.relay.cutAnswer(0, () -> {});
        assertThatThrownBy(rows::next)
            .isNotInstanceOf(LostAnswerException.class)
            .satisfies(failure -> assertThat(state(failure)).isEqualTo("08006"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES})
  void aRowThatCannotBeSentDoesNotHideThatTheStatementTookEffect(String engine) throws Exception {
    try (Way way = Way.to(source(engine));
        Connection connection = way.connect();
        Statement statement = connection.createStatement()) {
      insert(connection, 1);
      assertThatThrownBy(() ->
              statement.executeQuery("UPDATE item SET name = 'x' RETURNING repeat(name, 66000000)"))
          .isInstanceOf(LostAnswerException.class);
      assertThat(names(connection)).containsExactly("x");
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aBatchCountsWhatTookEffectThoughItsAnswerIsLost(String engine) throws Exception {
    try (Way way = Way.to(source(engine))) {
      try (Connection connection = way.connect();
          Statement statement = connection.createStatement()) {
        statement.addBatch("INSERT INTO item (id, name) VALUES (1, 'a')");
        statement.addBatch("INSERT INTO item (id, name) VALUES (2, 'b')");
        statement.addBatch("INSERT INTO item (id, name) VALUES (3, 'c')");
        way.relay.cutAnswer(1, () -> {});
        BatchUpdateException failure =
            catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
        assertThat(failure.getUpdateCounts()).containsExactly(1, Statement.SUCCESS_NO_INFO);
        assertThat(failure.getCause()).isInstanceOf(LostAnswerException.class);
      }
      try (Connection connection = way.connect()) {
        assertThat(names(connection)).containsExactly("a", "b");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatTheControllerDoesNotKnowIsAskedOfTheLedger(String engine) throws Exception {
    AtomicInteger unknown = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    try (Way way = Way.to(forgetful(source(engine), unknown, lost))) {
      try (Connection connection = way.connect()) {
        connection.setAutoCommit(false);
        insert(connection, 1);
        unknown.set(2);
        connection.commit();
        assertThat(unknown).hasValue(0);
      }
      try (Connection connection = way.connect()) {
        connection.setAutoCommit(false);
        insert(connection, 2);
        lost.set(1);
        assertThatThrownBy(connection::commit)
            .satisfies(failure -> assertThat(state(failure)).isEqualTo("40001"));
      }
      try (Connection connection = way.connect()) {
        assertThat(names(connection)).containsExactly("n1");
      }
    }
  }

  /**
   * A source some of whose commits end with an unknown outcome.
   *
   * @param unknown how many that took effect
   * @param lost how many that did not
   */
  private static DataSource forgetful(
      ClusterDataSource source, AtomicInteger unknown, AtomicInteger lost) {
    return proxy(
        DataSource.class,
        source,
        (name, answer) ->
            answer instanceof Connection connection
                ? proxy(
                    Connection.class,
                    connection,
                    (method, nothing) -> {
                      if (method.equals("commit") && counted(unknown)) {
                        throw new SQLException("Nobody knows.", "08007");
                      }
                      return nothing;
                    },
                    method -> {
                      if (method.equals("commit") && counted(lost)) {
                        connection.rollback();
                        throw new SQLException("Nobody knows.", "08007");
                      }
                    })
                : answer,
        name -> {});
  }

  private static boolean counted(AtomicInteger left) {
    return left.get() > 0 && left.getAndDecrement() > 0;
  }

  private interface After {
    Object done(String method, Object answer) throws SQLException;
  }

  private interface Before {
    void done(String method) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, T real, After after, Before before) {
    return type.cast(
        Proxy.newProxyInstance(
            UnknownOutcomesTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              before.done(method.getName());
              try {
                return after.done(method.getName(), method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES})
  void whoActsAsAnotherRoleCommitsAllTheSame(String engine) throws Exception {
    for (int i = 0; i < 2; i++) {
      try (Connection direct = replicas(engine).direct(i);
          Statement statement = direct.createStatement()) {
        statement.execute("GRANT INSERT, SELECT ON item TO pg_monitor");
      }
    }
    try (Way way = Way.to(source(engine));
        Connection connection = way.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET ROLE pg_monitor");
      insert(connection, 1);
      connection.setAutoCommit(false);
      insert(connection, 2);
      connection.commit();
      insert(connection, 3);
      assertThatThrownBy(() -> statement.executeUpdate("DELETE FROM item"))
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("42501"));
      connection.rollback();
      assertThat(names(connection)).containsExactly("n1", "n2");
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void statementsThatNameTheLedgerAreRefused(String engine) throws Exception {
    boolean mariaDb = engine.equals(MARIADB);
    String table = mariaDb ? "`terraceLedger`" : "terrace_ledger . \"terraceledger\"";
    try (Way way = Way.to(source(engine));
        Connection connection = way.connect();
        Statement statement = connection.createStatement()) {
      for (String sql :
          new String[] {
            "DELETE FROM " + table,
            "DROP TABLE " + table,
            "TRUNCATE TABLE " + table,
            "UPDATE " + table + " SET kept = 0",
            "SELECT * FROM " + table + " FOR UPDATE",
            "DROP SCHEMA terrace_ledger CASCADE"
          }) {
        assertThatThrownBy(() -> statement.execute(sql))
            .hasMessageContaining("reserved")
            .satisfies(failure -> assertThat(state(failure)).isEqualTo("42939"));
      }
      insert(connection, 1);
      assertThat(names(connection)).hasSize(1);
    }
  }

  @Timeout(30)
  @ParameterizedTest
  @ValueSource(strings = {POSTGRES})
  void whoAsksWhetherAConnectionIsValidWaitsNoLongerThanItWants(String engine) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (Way way = Way.to(source(engine));
        Connection connection = way.connect("?answerMillis=60000")) {
      way.relay.cutAnswer(0, () -> awaitQuietly(end));
      assertThat(connection.isValid(1)).isFalse();
      assertThat(connection.isClosed()).isTrue();
    } finally {
      end.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES})
  void whoIsInterruptedWhileItAsksIsToldThatTheOutcomeIsUnknown(String engine) throws Exception {
    Thread asking = Thread.currentThread();
    try (Way way = Way.to(source(engine));
        Connection connection = way.connect()) {
      connection.setAutoCommit(false);
      insert(connection, 1);
      way.relay.cutAnswer(
          0,
          () -> {
            way.end();
            asking.interrupt();
          });
      assertThatThrownBy(connection::commit)
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("08007"));
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Timeout(30)
  @ParameterizedTest
  @ValueSource(strings = {POSTGRES})
  void aControllerThatDoesNotGreetIsNotWaitedForLongerThanAConnection(String engine)
      throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (Way way = Way.to(source(engine))) {
      way.relay.cutAnswer(0, () -> awaitQuietly(end));
      assertThatThrownBy(() -> way.connect("?connectMillis=500&answerMillis=60000"))
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("08001"));
    } finally {
      end.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
