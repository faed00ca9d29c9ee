package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.inspection.MembershipRequest;
import org.terrace.cluster.jdbc.inspection.MembershipRequest.Change;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.sql.Engine;
import org.terrace.testing.Await;

/** Servers that are added to a cluster and removed from it while it is written. */
@Tag("real-processes")
@Tag("untimed")
class MembershipTest {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final String ENTRIES = "SELECT id, total FROM entry ORDER BY id";
  private static final String NOTES = "SELECT note FROM numbered ORDER BY id";

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void serversComeAndGo(String engine) throws Exception {
    String log = "?log=" + directory.resolve(engine);
    try (RealReplicas replicas = RealReplicas.start(engine, 4)) {
      try (ClusterDataSource source = replicas.open(log, 0, 1)) {
        makeTables(source, engine);
        remembersAnotherCluster(replicas, engine, 2);
        anEmptyServerIsAddedUnderWrites(source, replicas);
        aServerOfOthersIsNotOverwritten(source, replicas);
      }
      refused(replicas, log, "its servers were changed while it was open", 0, 1);
      try (ClusterDataSource source = replicas.open(log, 0, 1, 2)) {
        assertThat(source.losses()).isEmpty();
        aServerIsRemovedUnderWrites(source, replicas);
      }
      refused(replicas, log, replicas.place(1) + "," + replicas.place(2) + " now", 0, 1, 2);
      refused(replicas, log, "its servers were changed while it was open", 0);
      try (ClusterDataSource source = replicas.open(log + "&leaseMillis=600", 1, 2)) {
        whoMayWriteTheTablesMayAsk(source, replicas);
      }
      try (ClusterDataSource source = replicas.open(log + "&membership=url", 1, 2)) {
        assertThat(source.servers()).containsExactly(replicas.place(1), replicas.place(2));
      }
      try (ClusterDataSource source = replicas.open(log, 1, 2)) {
        source.removeServer(replicas.place(2));
        assertThatThrownBy(() -> source.removeServer(replicas.place(1)))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("0 of at least 1");
      }
    }
    assertThatThrownBy(() -> MembershipRequest.of("jdbc:terrace:x://a/b", new Properties()))
        .isInstanceOf(SQLException.class);
  }

  /** Nobody knows yet that the other hangs. */
  @Test
  @Tag("long")
  void theLastServerThatAnswersIsNotRemoved() throws Exception {
    String log = "?log=" + directory.resolve("log");
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2)) {
      try (ClusterDataSource source = replicas.open(log + "&hangMillis=2000")) {
        execute(source, "CREATE TABLE entry (id BIGINT PRIMARY KEY)");
        replicas.suspend(1);
        assertThatThrownBy(() -> source.removeServer(replicas.place(0)))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("0 of at least 1");
        assertThat(source.servers()).containsExactly(replicas.place(0), replicas.place(1));
        replicas.resume(1);
        awaitNoLosses(source);
        execute(source, "INSERT INTO entry VALUES (1)");
      }
      try (ClusterDataSource again = replicas.open(log)) {
        assertThat(again.losses()).isEmpty();
      }
    }
  }

  private static void makeTables(ClusterDataSource source, String engine) throws SQLException {
    execute(source, "CREATE TABLE total (id INT PRIMARY KEY, amount BIGINT NOT NULL)");
    execute(source, "INSERT INTO total VALUES (1, 0)");
    execute(source, "CREATE TABLE entry (id BIGINT PRIMARY KEY, total BIGINT NOT NULL)");
    execute(
        source,
        engine.equals("postgresql")
            ? "CREATE TABLE numbered (id SERIAL PRIMARY KEY, note TEXT)"
            : "CREATE TABLE numbered (id INT AUTO_INCREMENT PRIMARY KEY, note TEXT)");
    execute(source, "INSERT INTO numbered (note) VALUES ('one')");
  }

  private static void anEmptyServerIsAddedUnderWrites(
      ClusterDataSource source, RealReplicas replicas) throws Exception {
    assertThatThrownBy(() -> source.addServer(replicas.place(0)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("is one of its servers already");
    assertThatThrownBy(() -> source.addServer("127.14.29.99:1")).isInstanceOf(SQLException.class);
    try (Writers writers = new Writers(source)) {
      writers.awaitMore(10);
      source.addServer(replicas.place(2));
      assertThat(source.servers())
          .containsExactly(replicas.place(0), replicas.place(1), replicas.place(2));
      awaitNoLosses(source);
      writers.awaitMore(10);
      writers.stop();
    }
    assertThat(new HashSet<>(replicas.everywhere(ENTRIES, 0, 1, 2))).hasSize(1);
    execute(source, "INSERT INTO numbered (note) VALUES ('two')");
    assertThat(replicas.everywhere(NOTES, 0, 1, 2)).containsOnly("one\ntwo\n");
  }

  /** An empty server that was a member of a cluster whose servers were often changed. */
  private static void remembersAnotherCluster(RealReplicas replicas, String engine, int server)
      throws SQLException {
    EngineDialect dialect =
        EngineDialect.of(engine.equals("postgresql") ? Engine.POSTGRESQL : Engine.MARIADB);
    try (Connection direct = replicas.direct(server);
        Statement statement = direct.createStatement()) {
      new OwnTables(dialect).make(direct);
      statement.executeUpdate(
          "UPDATE %s SET number = 77, servers = 'elsewhere:1'"
              .formatted(dialect.own("membership")));
    }
  }

  private static void aServerOfOthersIsNotOverwritten(
      ClusterDataSource source, RealReplicas replicas) throws SQLException {
    try (Connection direct = replicas.direct(3);
        Statement statement = direct.createStatement()) {
      statement.execute("CREATE TABLE precious (id INT PRIMARY KEY)");
    }
    assertThatThrownBy(() -> source.addServer(replicas.place(3)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Empty it first")
        .hasMessageContaining("copy=always");
    assertThat(source.losses()).isEmpty();
    assertThat(replicas.everywhere("SELECT count(*) FROM precious", 3)).containsExactly("0\n");
  }

  private static void aServerIsRemovedUnderWrites(ClusterDataSource source, RealReplicas replicas)
      throws Exception {
    try (Writers writers = new Writers(source, 1_000_000)) {
      writers.awaitMore(10);
      source.removeServer(replicas.place(0));
      writers.awaitMore(10);
      writers.stop();
    }
    assertThat(source.losses()).isEmpty();
    assertThat(source.servers()).containsExactly(replicas.place(1), replicas.place(2));
    execute(source, "INSERT INTO numbered (note) VALUES ('three')");
    assertThat(replicas.everywhere(NOTES, 0)).containsExactly("one\ntwo\n");
    assertThat(replicas.everywhere(NOTES, 1, 2)).containsOnly("one\ntwo\nthree\n");
  }

  /** The former member is there with old data and a position that the log still knows. */
  private static void whoMayWriteTheTablesMayAsk(ClusterDataSource source, RealReplicas replicas)
      throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    MembershipRequest request = MembershipRequest.of(replicas.url("", 1, 2), properties);
    assertThat(request.ask(Change.ADD, replicas.place(0), LONGEST))
        .containsExactly(replicas.place(1), replicas.place(2), replicas.place(0));
    awaitNoLosses(source);
    assertThat(new HashSet<>(replicas.everywhere(ENTRIES, 0, 1, 2))).hasSize(1);
    assertThatThrownBy(() -> request.ask(Change.REMOVE, replicas.place(3), LONGEST))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("is none of its servers");
    assertThat(request.ask(Change.REMOVE, replicas.place(0), LONGEST)).hasSize(2);
  }

  private static void refused(RealReplicas replicas, String log, String why, int... servers) {
    assertThatThrownBy(() -> replicas.open(log, servers))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("membership=url");
  }

  private static void awaitNoLosses(ClusterDataSource source) {
    assertThat(Await.until(LONGEST, () -> source.losses().isEmpty()))
        .as(() -> "losses: " + source.losses())
        .isTrue();
  }
}
