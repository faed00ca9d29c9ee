package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.terrace.cluster.jdbc.inspection.ClusterInspection;
import org.terrace.cluster.jdbc.inspection.RowDifference;
import org.terrace.cluster.jdbc.inspection.TableComparison;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * The steps of {@link ClusterTest} in which one server at a time is killed and started again: while
 * the cluster serves, and while it is opened; and in which two owners want one cluster.
 */
final class ReturnSteps {
  private static final Duration LONGEST = Duration.ofSeconds(40);

  private ReturnSteps() {}

  /** Takes the steps, with a log in this directory; the servers are all there at the end. */
  static void take(RealReplicas replicas, String engine, Path directory) throws Exception {
    String log = "?log=" + directory;
    try (ClusterDataSource source = replicas.open(log)) {
      makeTables(source);
      aSecondOwnerIsRefused(replicas);
      aKilledServerReturnsUnderWrites(source, replicas);
      whatWasDefinedAndBoundMeanwhileIsDoneAgain(source, replicas, engine);
      replicas.kill(2);
      assertThat(Await.until(LONGEST, () -> source.losses().size() == 1)).isTrue();
      insert(source, -1);
    }
    aLogThatLostItsEndIsRefused(replicas, directory, log);
    aClusterOpensWithAServerMissing(replicas, log);
    SilenceSteps.take(replicas, log);
    aStoppedOwnerCommitsNothing(replicas);
    whatIsTooOldIsRefused(replicas, log);
    rowsThatDifferAreNamed(replicas);
  }

  private static void makeTables(ClusterDataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE entry (id BIGINT PRIMARY KEY, total BIGINT NOT NULL)");
      statement.execute("CREATE TABLE total (id INT PRIMARY KEY, amount BIGINT NOT NULL)");
      statement.executeUpdate("INSERT INTO total (id, amount) VALUES (1, 0)");
    }
  }

  private static void aSecondOwnerIsRefused(RealReplicas replicas) {
    assertThatThrownBy(() -> replicas.open("?poolSize=3"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("belongs to process " + ProcessHandle.current().pid())
        .hasMessageContaining("one process at a time");
  }

  private static void aKilledServerReturnsUnderWrites(
      ClusterDataSource source, RealReplicas replicas) throws Exception {
    try (Writers writers = new Writers(source)) {
      writers.awaitMore(10);
      replicas.kill(1);
      assertThat(Await.until(LONGEST, () -> source.losses().containsKey(replicas.place(1))))
          .isTrue();
      writers.awaitMore(20);
      replicas.startAgain(1);
      assertThat(Await.until(LONGEST, () -> source.losses().isEmpty()))
          .as(() -> "losses: " + source.losses())
          .isTrue();
      writers.awaitMore(10);
      writers.stop();
      List<String> everywhere =
          replicas.everywhere("SELECT id, total FROM entry ORDER BY id", 0, 1, 2);
      assertThat(new HashSet<>(everywhere)).hasSize(1);
      for (long id : writers.acknowledged()) {
        assertThat(everywhere.getFirst()).containsPattern("(?m)^" + id + "\\|");
      }
    }
    assertThat(new HashSet<>(replicas.everywhere("SELECT amount FROM total", 0, 1, 2))).hasSize(1);
  }

  private static void whatWasDefinedAndBoundMeanwhileIsDoneAgain(
      ClusterDataSource source, RealReplicas replicas, String engine) throws Exception {
    replicas.kill(0);
    assertThat(Await.until(LONGEST, () -> source.losses().containsKey(replicas.place(0)))).isTrue();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      String bytes = engine.equals("postgresql") ? "BYTEA" : "VARBINARY(10)";
      statement.execute(
          "CREATE TABLE kind (id INT PRIMARY KEY, word VARCHAR(20), at TIMESTAMP(6) NULL,"
              + " price DECIMAL(12, 3), raw "
              + bytes
              + ", chance DOUBLE PRECISION)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO kind VALUES (?, ?, ?, ?, ?, ?)")) {
        for (int id = 1; id <= 3; id++) {
          insert.setInt(1, id);
          insert.setString(2, "w\u00f6rd " + id);
          insert.setTimestamp(3, Timestamp.valueOf(LocalDateTime.of(2026, 3, 29, 2, 30, id)));
          insert.setBigDecimal(4, new BigDecimal("12.345"));
          insert.setBytes(5, new byte[] {0, (byte) id, -1});
          insert.setNull(6, Types.DOUBLE);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      String chance = engine.equals("postgresql") ? "random()" : "rand()";
      statement.executeUpdate("INSERT INTO kind (id, chance) VALUES (4, " + chance + ")");
      assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO kind (id) VALUES (4)"))
          .isInstanceOf(SQLException.class);
    }
    if (engine.equals("postgresql")) {
      aSettingLastsAsLongAsItDid(source);
    }
    replicas.startAgain(0);
    assertThat(Await.until(LONGEST, () -> source.losses().isEmpty()))
        .as(() -> "losses: " + source.losses())
        .isTrue();
    List<String> everywhere = replicas.everywhere("SELECT * FROM kind ORDER BY id", 0, 1, 2);
    assertThat(new HashSet<>(everywhere)).hasSize(1);
    assertThat(everywhere.getFirst()).contains("w\u00f6rd 3").contains("12.345");
  }

  /**
   * Checks that a transaction's settings count for what follows in it, and not for other sessions.
   */
  private static void aSettingLastsAsLongAsItDid(ClusterDataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.executeUpdate("INSERT INTO kind (id, word) VALUES (5, 'before')");
      statement.execute("SET search_path = pg_catalog, public");
      statement.executeUpdate(
          "INSERT INTO kind (id, word) VALUES (6, current_setting('search_path'))");
      connection.commit();
    }
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO kind (id, word) VALUES (7, current_setting('search_path'))");
    }
  }

  /** A log without its last record would let a server return without what was acknowledged. */
  private static void aLogThatLostItsEndIsRefused(RealReplicas replicas, Path directory, String log)
      throws IOException {
    Path file;
    try (Stream<Path> files = Files.list(directory)) {
      file = files.filter(one -> one.toString().endsWith(".log")).sorted().toList().getLast();
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> replicas.open(log))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("lost its end")
        .hasMessageContaining("Move the directory away");
    Files.write(file, whole);
  }

  private static void rowsThatDifferAreNamed(RealReplicas replicas) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    ClusterInspection inspection = ClusterInspection.of(replicas.url(""), properties);
    assertThat(inspection.status())
        .hasSize(3)
        .allMatch(server -> server.failure().isEmpty() && !server.owned())
        .allMatch(server -> server.members().size() == 3 && server.diverged().isEmpty());
    assertThat(inspection.verify()).hasSize(6).allMatch(TableComparison::isEqual);

    try (Connection connection = replicas.direct(1);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM entry WHERE id = -2");
      statement.executeUpdate("UPDATE kind SET word = 'other' WHERE id = 2");
    }
    List<TableComparison> comparisons =
        inspection.verify().stream().filter(comparison -> !comparison.isEqual()).toList();
    assertThat(comparisons).hasSize(2).allMatch(one -> one.second().equals(replicas.place(1)));
    RowDifference lost = comparisons.getFirst().differences().getFirst();
    assertThat(lost.key()).containsExactly("-2");
    assertThat(lost.first()).contains("total=0");
    assertThat(lost.second()).isEmpty();
    RowDifference changed = comparisons.get(1).differences().getFirst();
    assertThat(changed.key()).containsExactly("2");
    assertThat(changed.second()).contains("word=other");
  }

  private static void aClusterOpensWithAServerMissing(RealReplicas replicas, String log)
      throws Exception {
    try (ClusterDataSource source = replicas.open(log)) {
      assertThat(source.losses()).containsOnlyKeys(replicas.place(2));
      insert(source, -2);
      replicas.startAgain(2);
      assertThat(Await.until(LONGEST, () -> source.losses().isEmpty()))
          .as(() -> "losses: " + source.losses())
          .isTrue();
      insert(source, -3);
    }
    List<String> everywhere =
        replicas.everywhere("SELECT id FROM entry WHERE id < 0 ORDER BY id", 0, 1, 2);
    assertThat(everywhere).containsOnly("-3\n-2\n-1\n");
  }

  /** An owner that does not renew its lease is as good as stopped. */
  private static void aStoppedOwnerCommitsNothing(RealReplicas replicas) throws Exception {
    try (ClusterDataSource stopped = replicas.open("?leaseMillis=3000000");
        Connection late = stopped.getConnection();
        Statement lateStatement = late.createStatement()) {
      late.setAutoCommit(false);
      lateStatement.executeUpdate("INSERT INTO entry VALUES (-10, 0)");
      try (ClusterDataSource next = replicas.open("?leaseMillis=300")) {
        insert(next, -11);
        assertThatThrownBy(late::commit)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("belongs to")
            .extracting(failure -> ((SQLException) failure).getSQLState())
            .isEqualTo("25006");
        assertThatThrownBy(() -> insert(stopped, -12)).hasMessageContaining("belongs to");
        insert(next, -13);
      }
    }
    assertThat(replicas.everywhere("SELECT id FROM entry WHERE id <= -10 ORDER BY id", 0, 1, 2))
        .containsOnly("-13\n-11\n");
  }

  /** The last owner kept no log, so that the old log is no way back for anyone. */
  private static void whatIsTooOldIsRefused(RealReplicas replicas, String log) {
    assertThatThrownBy(() -> replicas.open(log))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("went on without this recovery log")
        .hasMessageContaining("move this one's directory away");
  }

  private static void insert(ClusterDataSource source, long id) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO entry VALUES (" + id + ", 0)");
    }
  }
}
