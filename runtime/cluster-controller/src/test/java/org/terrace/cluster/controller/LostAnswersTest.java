package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** A commit whose answer is lost is told of as what it was, whoever lost it. */
@Tag("real-processes")
@Tag("untimed")
class LostAnswersTest {
  private static final int MOMENTS = Depth.of(40, 20);

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aCutConnectionLeavesNothingUnknown(String engine) throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("LostAnswersTest.cuts"));
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("?log=" + directory.resolve(engine));
        ControllerServer controller = ControllerServer.start(source, "shop", "127.0.0.1", 0, "");
        CuttingRelay relay = CuttingRelay.to(controller::port)) {
      update(source, "CREATE TABLE kept (id int PRIMARY KEY)");
      String url = "jdbc:terrace:controller://127.0.0.1:%d/shop".formatted(relay.port());
      List<Integer> committed = new ArrayList<>();
      int undone = 0;
      for (int i = 0; i < MOMENTS; i++) {
        boolean alone = random.nextBoolean();
        boolean answer = random.nextBoolean();
        try (Connection connection = DriverManager.getConnection(url)) {
          connection.setAutoCommit(alone);
          if (!alone) {
            insert(connection, i);
          }
          if (answer) {
            relay.cutAnswer(0, () -> {});
          } else {
            relay.cutRequest(0, () -> {});
          }
          if (alone) {
            insert(connection, i);
          } else {
            connection.commit();
          }
          committed.add(i);
        } catch (LostAnswerException e) {
          committed.add(i);
        } catch (SQLException e) {
          assertThat(e.getSQLState()).isEqualTo("40001");
          undone++;
        }
      }
      assertThat(undone).isPositive();
      assertThat(committed).isNotEmpty();
      assertThat(ids(source)).isEqualTo(committed);
      assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1))
          .allMatch(rows -> rows.lines().map(Integer::valueOf).toList().equals(committed));
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whoWasToldThatItIsUndoneCannotCommitLater(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("")) {
      update(source, "CREATE TABLE kept (id int PRIMARY KEY)");
      CommitLedger ledger = CommitLedger.open(source);
      try (Connection late = source.getConnection()) {
        late.setAutoCommit(false);
        insert(late, 1);
        assertThat(ledger.outcome("1-late")).isEqualTo(CommitOutcome.UNDONE);
        ledger.name(late, "1-late");
        assertThatThrownBy(late::commit)
            .isInstanceOf(SQLException.class)
            .extracting(failure -> ((SQLException) failure).getSQLState())
            .isEqualTo("40001");
        late.rollback();
        insert(late, 2);
        ledger.name(late, "1-kept");
        late.commit();
      }
      assertThat(ledger.outcome("1-kept")).isEqualTo(CommitOutcome.COMMITTED);
      assertThat(ledger.outcome("1-kept")).isEqualTo(CommitOutcome.COMMITTED);
      assertThat(ids(source)).containsExactly(2);
      assertThatThrownBy(() -> ledger.outcome("1-x' OR '1'='1")).isInstanceOf(SQLException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatWasToldHoldsHoweverManyTurnsGoBy(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("")) {
      update(source, "CREATE TABLE kept (id int PRIMARY KEY)");
      CommitLedger ledger = CommitLedger.open(source);
      try (Connection late = source.getConnection();
          Connection other = source.getConnection()) {
        other.setAutoCommit(false);
        insert(other, 1);
        ledger.name(other, "1-early");
        other.commit();
        ledger.leave("1-early");
        late.setAutoCommit(false);
        insert(late, 2);
        ledger.name(late, "1-late");
        assertThat(ledger.outcome("1-late")).isEqualTo(CommitOutcome.UNDONE);
        turns(ledger, other);
        assertThat(ledger.outcome("1-late")).isEqualTo(CommitOutcome.UNDONE);
        assertThat(ledger.outcome("1-early")).isEqualTo(CommitOutcome.COMMITTED);
        assertThatThrownBy(late::commit)
            .isInstanceOf(SQLException.class)
            .satisfies(failure -> assertThat(state(failure)).isEqualTo("40001"));
        ledger.leave("1-late");
        turns(ledger, other);
        late.rollback();
        assertThatThrownBy(() -> ledger.name(late, "1-late"))
            .satisfies(failure -> assertThat(state(failure)).isEqualTo("40001"));
      }
      for (CommitLedger one : List.of(ledger, CommitLedger.open(source))) {
        assertThat(one.outcome("1-late")).isEqualTo(CommitOutcome.FORGOTTEN);
        assertThat(one.outcome("1-early")).isEqualTo(CommitOutcome.FORGOTTEN);
        assertThat(one.outcome("999-never")).isEqualTo(CommitOutcome.FORGOTTEN);
        assertThat(one.outcome(one.present() + "-never")).isEqualTo(CommitOutcome.UNDONE);
      }
      assertThat(ids(source)).containsExactly(1);
    }
  }

  private static void turns(CommitLedger ledger, Connection connection) throws SQLException {
    for (int i = 0; i <= CommitLedger.KEPT_TURNS + 1; i++) {
      String name = ledger.present() + "-other";
      ledger.name(connection, name);
      ledger.leave(name);
      ledger.turn();
    }
  }

  private static String state(Throwable failure) {
    return String.valueOf(((SQLException) failure).getSQLState());
  }

  private static void insert(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("INSERT INTO kept VALUES (?)")) {
      statement.setInt(1, id);
      statement.executeUpdate();
    }
  }

  private static void update(ClusterDataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private static List<Integer> ids(ClusterDataSource source) throws SQLException {
    List<Integer> ids = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM kept ORDER BY id")) {
      while (rows.next()) {
        ids.add(rows.getInt(1));
      }
    }
    return ids;
  }
}
