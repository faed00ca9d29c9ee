package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.FailingDeed;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.testing.Await;

/**
 * Clients that are interrupted while one server has done a definition of MariaDB, which commits by
 * itself, and another is at it, kept from it by a reader.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(180)
class InterruptedDefinitionsTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** A server that is out meanwhile, and learns of the definition from the log. */
  private static final int OUT = 2;

  private static RealReplicas replicas;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    Assumptions.assumeTrue(MariaDbServer.isInstallable(), "there is no MariaDB for this machine");
    replicas = RealReplicas.start("mariadb", 3);
  }

  @AfterAll
  static void stop() {
    if (replicas != null) {
      replicas.close();
    }
  }

  @BeforeEach
  void empty() throws SQLException {
    for (int replica = 0; replica <= OUT; replica++) {
      replicas.empty(replica);
    }
  }

  @Test
  void isDoneEverywhereAndKnown() throws Exception {
    try (ClusterDataSource source = open(600_000);
        Connection reader = replicas.direct(1)) {
      prepare(source);
      keepRead(reader);
      interruptAtDefinition(source);
      assertThat(isNumbered(1)).as("it is kept from it").isFalse();
      reader.rollback();
      assertThat(Await.until(SOON, () -> isNumbered(1))).isTrue();
      assertThat(source.losses()).hasSize(1);

      isSame(source);
    }
  }

  /** The server is known to differ, and gets it from the log. */
  @Test
  void isDoneLaterWhereItIsGivenUp() throws Exception {
    try (ClusterDataSource source = open(5_000);
        Connection reader = replicas.direct(1)) {
      prepare(source);
      keepRead(reader);
      interruptAtDefinition(source);
      assertThat(Await.until(SOON, () -> source.losses().size() == 2)).isTrue();
      assertThat(source.losses().get(replicas.place(1))).contains("gave up a write");
      reader.rollback();

      isSame(source);
    }
  }

  private ClusterDataSource open(int lockWaitMillis) throws SQLException {
    String log = directory.resolve("log").toString();
    return replicas.open(
        "?minimumReplicas=1&lockWaitMillis=%d&log=%s".formatted(lockWaitMillis, log));
  }

  private static void prepare(ClusterDataSource source) throws SQLException {
    execute(source, "CREATE TABLE kept (id INT PRIMARY KEY, note TEXT)");
    replicas.kill(OUT);
    assertThat(Await.until(SOON, () -> source.losses().size() == 1)).isTrue();
  }

  private static void keepRead(Connection reader) throws SQLException {
    reader.setAutoCommit(false);
    assertThat(RealReplicas.rows(reader, "SELECT count(*) FROM kept")).isEqualTo("0\n");
  }

  private static void interruptAtDefinition(ClusterDataSource source) {
    CompletableFuture<Thread> client = new CompletableFuture<>();
    CompletableFuture<SQLException> told =
        FailingDeed.begin(() -> {
          client.complete(Thread.currentThread());
          execute(source, "ALTER TABLE kept MODIFY id INT AUTO_INCREMENT");
        });
    assertThat(Await.until(SOON, () -> told.isDone() || isNumbered(0))).isTrue();
    assertThat(told).isNotDone();
    client.join().interrupt();
    assertThat(told).succeedsWithin(SOON);
    assertThat(told.join().getSQLState()).isEqualTo("57014");
  }

  /** All number their rows alike, whatever each would give for the next number itself. */
  private static void isSame(ClusterDataSource source) throws SQLException {
    replicas.startAgain(OUT);
    assertThat(Await.until(SOON, () -> source.losses().isEmpty()))
        .as(() -> "losses: " + source.losses())
        .isTrue();
    for (int replica = 0; replica <= OUT; replica++) {
      assertThat(isNumbered(replica)).as("server " + replica).isTrue();
    }
    try (Connection direct = replicas.direct(1);
        Statement statement = direct.createStatement()) {
      statement.execute("ALTER TABLE kept AUTO_INCREMENT = 1000");
    }
    execute(source, "INSERT INTO kept (note) VALUES ('a')");
    List<String> ids = replicas.everywhere("SELECT id FROM kept", 0, 1, OUT);
    assertThat(new HashSet<>(ids)).as("numbers: " + ids).hasSize(1);
  }

  private static boolean isNumbered(int replica) {
    try {
      return replicas
          .everywhere(
              "SELECT extra FROM information_schema.columns WHERE table_schema = DATABASE()"
                  + " AND table_name = 'kept' AND column_name = 'id'",
              replica)
          .contains("auto_increment\n");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void execute(ClusterDataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
