package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.inspection.ClusterInspection;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.inspection.TableComparison;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * Servers that the recovery log cannot help: they get the data of another one while it serves, also
 * when they are killed in the middle of it or tables are defined meanwhile.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class HotReturnTest {
  private static final Duration LONGEST = Duration.ofSeconds(90);
  private static final int ROWS = 60_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whoTheLogCannotHelpGetsACopy(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 3)) {
      String first = "?log=" + directory.resolve(engine + "-first");
      try (ClusterDataSource source = replicas.open(first)) {
        makeTables(source, engine);
        replicas.kill(1);
        awaitLosses(source, 1);
        execute(source, "UPDATE total SET amount = 5");
      }
      String second = "?log=" + directory.resolve(engine + "-second");
      replicas.startAgain(1);
      try (ClusterDataSource source = replicas.open(second)) {
        aFormerMemberIsCopiedToUnderWrites(source, replicas);
        verify(replicas);
        whoseDataDifferIsNotReplacedUnasked(source, replicas);
      }
      try (ClusterDataSource source = replicas.open(second + "&copy=always")) {
        awaitLosses(source, 0);
      }
      verify(replicas);
    }
  }

  private static void makeTables(ClusterDataSource source, String engine) throws SQLException {
    execute(source, "CREATE TABLE total (id INT PRIMARY KEY, amount BIGINT NOT NULL)");
    execute(source, "INSERT INTO total VALUES (1, 0)");
    execute(
        source,
        "CREATE TABLE place (id INT PRIMARY KEY, note VARCHAR(200) NOT NULL, over_id INT NULL,"
            + " FOREIGN KEY (over_id) REFERENCES place (id))");
    execute(
        source,
        "CREATE TABLE entry (id BIGINT PRIMARY KEY, total BIGINT NOT NULL, place_id INT NULL,"
            + " FOREIGN KEY (place_id) REFERENCES place (id))");
    execute(
        source,
        engine.equals("postgresql")
            ? "CREATE TABLE numbered (id SERIAL PRIMARY KEY, note TEXT)"
            : "CREATE TABLE numbered (id INT AUTO_INCREMENT PRIMARY KEY, note TEXT)");
    execute(source, "INSERT INTO numbered (note) VALUES ('one')");
    // A row refers to one that comes later in the order of the key.
    execute(
        source, "INSERT INTO place VALUES (1, 'under', NULL), (2, 'over', NULL), (3, 'beside', 2)");
    execute(source, "UPDATE place SET over_id = 2 WHERE id = 1");
    StringBuilder rows = new StringBuilder("INSERT INTO place VALUES ");
    for (int id = 10; id < ROWS; id++) {
      rows.append(id == 10 ? "" : ", ").append("(").append(id).append(", 'n\u00f6te', 1)");
    }
    execute(source, rows.toString());
  }

  private static void aFormerMemberIsCopiedToUnderWrites(
      ClusterDataSource source, RealReplicas replicas) throws Exception {
    Map<String, String> lost = new ConcurrentHashMap<>();
    source.listen(
        new ReplicaListener() {
          @Override
          public void lost(String replica, String reason) {
            lost.put(replica, reason);
          }

          @Override
          public void returned(String replica) {}
        });
    try (Writers writers = new Writers(source)) {
      writers.awaitMore(1);
      assertThat(Await.until(LONGEST, () -> isBeingCopiedTo(replicas, 1))).isTrue();
      replicas.kill(1);
      execute(source, "CREATE TABLE meanwhile (id INT PRIMARY KEY)");
      replicas.startAgain(1);
      execute(source, "INSERT INTO meanwhile VALUES (1)");
      execute(source, "INSERT INTO numbered (note) VALUES ('two')");
      awaitLosses(source, 0);
      writers.awaitMore(10);
      writers.stop();
    }
    assertThat(lost.keySet()).as("who was ever out").containsExactly(replicas.place(1));
    assertThat(
            new HashSet<>(replicas.everywhere("SELECT id, total FROM entry ORDER BY id", 0, 1, 2)))
        .hasSize(1);
    execute(source, "INSERT INTO numbered (note) VALUES ('three')");
    assertThat(replicas.everywhere("SELECT note FROM numbered ORDER BY id", 0, 1, 2))
        .containsOnly("one\ntwo\nthree\n");
  }

  /** A server says itself that it has a part of a copy. */
  private static boolean isBeingCopiedTo(RealReplicas replicas, int replica) {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    try {
      return ClusterInspection.of(replicas.url(""), properties)
          .status()
          .get(replica)
          .diverged()
          .contains("did not come to its end");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void whoseDataDifferIsNotReplacedUnasked(
      ClusterDataSource source, RealReplicas replicas) throws Exception {
    try (Connection direct = replicas.direct(2);
        Statement statement = direct.createStatement()) {
      statement.executeUpdate("UPDATE total SET amount = 77, id = 2");
    }
    execute(source, "UPDATE total SET amount = 78 WHERE id = 1");
    String other = replicas.place(2);
    assertThat(
            Await.until(
                LONGEST,
                () -> source.losses().getOrDefault(other, "").contains("with copy=always")))
        .as(() -> "losses: " + source.losses())
        .isTrue();
    assertThat(replicas.everywhere("SELECT amount FROM total", 2)).containsExactly("77\n");
  }

  private static void verify(RealReplicas replicas) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    List<TableComparison> compared = ClusterInspection.of(replicas.url(""), properties).verify();
    assertThat(compared).hasSize(10).allMatch(TableComparison::isEqual);
  }
}
