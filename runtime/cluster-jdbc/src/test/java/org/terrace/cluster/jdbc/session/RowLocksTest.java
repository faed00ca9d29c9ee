package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** Writes that lock rows, over two real servers of each engine. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class RowLocksTest {
  private static final int ROWS = 4;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void rowsExcludeEachOtherAndNothingElse(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2)) {
      try (ClusterDataSource source = replicas.open("?scheduling=key&lockWaitMillis=2000")) {
        fill(source);
        try (Connection one = source.getConnection();
            Connection two = source.getConnection()) {
          one.setAutoCommit(false);
          write(one, "UPDATE account SET amount = amount + 1 WHERE id = 1");
          write(one, "INSERT INTO account (id, amount) VALUES (9, 1)");
          write(two, "UPDATE account SET amount = amount + 1 WHERE id = 2");
          write(two, "INSERT INTO account (id, amount) VALUES (8, 1)");
          write(two, "DELETE FROM account WHERE id = 8");
          isRefused(two, "UPDATE account SET amount = amount * 2 WHERE id = 1");
          isRefused(two, "DELETE FROM account WHERE id = 9");
          isRefused(two, "UPDATE account SET amount = amount * 2 WHERE id < 2");
          one.commit();
          write(two, "UPDATE account SET amount = amount * 2 WHERE id = 1");
        }
        assertThat(replicas.everywhere("SELECT amount FROM account WHERE id = 1", 0, 1))
            .allMatch(amount -> amount.contains("22"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void writesWhoseOrderCountsEndEqualEverywhere(String engine) throws Exception {
    int writers = 6;
    int writes = 60;
    try (RealReplicas replicas = RealReplicas.start(engine, 2)) {
      try (ClusterDataSource source = replicas.open("?scheduling=key");
          ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
        fill(source);
        List<Future<?>> ends = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
          int factor = writer + 2;
          ends.add(
              executor.submit(() -> {
                writeInOrder(source, factor, writes);
                return null;
              }));
        }
        for (Future<?> end : ends) {
          end.get();
        }
      }
      List<String> contents =
          replicas.everywhere("SELECT id, amount, writes FROM account ORDER BY id", 0, 1);
      assertThat(contents).hasSize(2);
      assertThat(contents.getFirst()).isEqualTo(contents.getLast());
      assertThat(replicas.everywhere("SELECT sum(writes) AS total FROM account", 0, 1))
          .allMatch(total -> total.contains(String.valueOf(writers * writes)));
    }
  }

  private static void writeInOrder(ClusterDataSource source, int factor, int writes)
      throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "UPDATE account SET amount = mod(amount * ? + 1, 1000003), writes = writes + 1"
                    + " WHERE id = ?")) {
      for (int i = 0; i < writes; i++) {
        statement.setInt(1, factor);
        statement.setInt(2, (i * factor) % ROWS + 1);
        assertThat(statement.executeUpdate()).isOne();
      }
    }
  }

  private static void fill(ClusterDataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      write(
          connection,
          "CREATE TABLE account (id INT PRIMARY KEY, amount BIGINT NOT NULL,"
              + " writes INT DEFAULT 0 NOT NULL)");
      for (int id = 1; id <= ROWS; id++) {
        write(connection, "INSERT INTO account (id, amount) VALUES (%d, 10)".formatted(id));
      }
    }
  }

  private static void write(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private static void isRefused(Connection connection, String sql) {
    assertThatThrownBy(() -> write(connection, sql)).isInstanceOf(SQLException.class);
  }
}
