package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** The outcomes of commits where a controller is full, young or silent. */
@Tag("real-processes")
@Timeout(180)
class AskedOutcomesTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration BRIEF_SILENCE = Duration.ofSeconds(4);

  private RealReplicas replicas;
  private ClusterDataSource source;

  @BeforeEach
  void start() throws Exception {
    replicas = RealReplicas.start("postgresql", 2);
    source = replicas.open("?lockWaitMillis=600000");
    execute(source.getConnection(), "CREATE TABLE item (id int PRIMARY KEY)");
  }

  @AfterEach
  void stop() {
    source.close();
    replicas.close();
  }

  @Test
  void whoAsksOrCancelsNeedsNoPlaceOfASession() throws Exception {
    List<Connection> sessions = new ArrayList<>();
    try (ControllerServer controller = controller();
        CuttingRelay relay = CuttingRelay.to(controller::port)) {
      Connection cut = connect("" + relay.port(), "");
      sessions.add(cut);
      while (sessions.size() < ControllerServer.SESSIONS_MAX) {
        sessions.add(connect("" + controller.port(), ""));
      }
      assertThatThrownBy(() -> connect("" + controller.port(), ""))
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("53300"));

      Connection holder = sessions.get(1);
      holder.setAutoCommit(false);
      execute(holder, "INSERT INTO item VALUES (2)");
      try (Statement waiting = sessions.get(2).createStatement()) {
        CompletableFuture<Void> end =
            CompletableFuture.runAsync(
                () ->
                    assertThatThrownBy(() -> waiting.executeUpdate("DELETE FROM item"))
                        .satisfies(failure -> assertThat(state(failure)).isEqualTo("57014")),
                Thread::startVirtualThread);
        assertThat(Await.until(SOON, () -> waiters() == 1)).isTrue();
        waiting.cancel();
        assertThat(end).succeedsWithin(SOON);
      }
      holder.rollback();

      // While all places of sessions are taken: the one of a session that is cut is free again.
      ControllerUrl place =
          ControllerUrl.of(
              "jdbc:terrace:controller://127.0.0.1:%d/shop".formatted(controller.port()),
              new Properties());
      ControllerLink.open(place, ControllerFrame.FOR_OUTCOME).close();
      cut.setAutoCommit(false);
      execute(cut, "INSERT INTO item VALUES (1)");
      relay.cutAnswer(0, () -> {});
      cut.commit();
      assertThat(ids()).isEqualTo("1\n");
    } finally {
      for (Connection session : sessions) {
        session.close();
      }
    }
  }

  /** Another's table is in the place of the ledger until it is dropped. */
  @Test
  void aSessionHasNamesAsSoonAsThereIsALedger() throws Exception {
    execute(source.getConnection(), "CREATE SCHEMA terrace_ledger");
    execute(
        source.getConnection(), "CREATE TABLE terrace_ledger.terraceledger (id int PRIMARY KEY)");
    try (ControllerServer controller = controller();
        CuttingRelay relay = CuttingRelay.to(controller::port);
        Connection before = connect("" + relay.port(), "");
        Connection looking = connect("" + controller.port(), "")) {
      before.setAutoCommit(false);
      execute(before, "INSERT INTO item VALUES (1)");
      before.commit();
      execute(source.getConnection(), "DROP TABLE terrace_ledger.terraceledger");
      assertThat(Await.until(SOON, () -> isNamed(looking))).isTrue();

      execute(before, "INSERT INTO item VALUES (2)");
      relay.cutAnswer(1, () -> {});
      before.commit();
      assertThat(before.isClosed()).isTrue();
      assertThat(ids()).isEqualTo("1\n2\n");
    }
  }

  /** Whether the transactions of a session have rows in the ledger. */
  private boolean isNamed(Connection connection) {
    try {
      execute(connection, "INSERT INTO item VALUES (9)");
      execute(connection, "DELETE FROM item WHERE id = 9");
      return replicas
          .everywhere("SELECT count(*) > 2 FROM terrace_ledger.terraceledger", 0)
          .contains("t\n");
    } catch (SQLException e) {
      return false;
    }
  }

  @Test
  void controllersThatAreSilentAreNotAskedForLongerThanSaid() throws Exception {
    try (ControllerServer controller = controller();
        CuttingRelay relay = CuttingRelay.to(controller::port);
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Connection connection =
            connect(
                relay.port() + ",127.0.0.1:" + silent.getLocalPort(),
                "?outcomeMillis=1500&connectMillis=100000&answerMillis=100000")) {
      connection.setAutoCommit(false);
      execute(connection, "INSERT INTO item VALUES (1)");
      relay.cutAnswer(0, relay::freeze);
      long fromNanos = TimeSource.system().elapsedNanos();
      assertThatThrownBy(connection::commit)
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("08007"));
      long tookMillis =
          TimeUnit.NANOSECONDS.toMillis(TimeSource.system().elapsedNanos() - fromNanos);
      assertThat(tookMillis).isBetween(1_400L, 20_000L);
    }
  }

  @Test
  void aSilentControllerDoesNotHideTheOneThatKnows() throws Exception {
    try (ControllerServer controller =
            ControllerServer.start(source, "shop", "127.0.0.1", 0, "", BRIEF_SILENCE);
        CuttingRelay relay = CuttingRelay.to(controller::port);
        CuttingRelay other = CuttingRelay.to(controller::port);
        Connection connection =
            connect(
                relay.port() + ",127.0.0.1:" + other.port(),
                "?outcomeMillis=10000&connectMillis=100000")) {
      connection.setAutoCommit(false);
      execute(connection, "INSERT INTO item VALUES (1)");
      relay.cutAnswer(0, relay::freeze);
      connection.commit();
      try (Connection next =
          connect(relay.port() + ",127.0.0.1:" + other.port(), "?connectMillis=6000")) {
        assertThat(next.isValid(60)).isTrue();
      }
      assertThat(ids()).isEqualTo("1\n");
    }
  }

  private ControllerServer controller() {
    return ControllerServer.start(source, "shop", "127.0.0.1", 0, "");
  }

  private static Connection connect(String ports, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:terrace:controller://127.0.0.1:%s/shop%s".formatted(ports, options));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private int waiters() {
    return source.pools().get("write-lock").usage().get().inUse();
  }

  private String ids() throws SQLException {
    return replicas.everywhere("SELECT id FROM item ORDER BY id", 0).getFirst();
  }

  private static String state(Throwable failure) {
    return String.valueOf(((SQLException) failure).getSQLState());
  }
}
