package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.testing.Await;

/** Definitions of MariaDB, which commit by themselves, so that nothing undoes them. */
@Tag("real-processes")
@Tag("untimed")
class LastingDefinitionsTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int DEFINERS = 6;
  private static final String WAITING =
      "SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%MODIFY id%'"
          + " AND id <> CONNECTION_ID()";

  private static RealReplicas replicas;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    Assumptions.assumeTrue(MariaDbServer.isInstallable(), "there is no MariaDB for this machine");
    replicas = RealReplicas.start("mariadb", 2);
  }

  @BeforeEach
  void empty() throws SQLException {
    replicas.empty(0);
    replicas.empty(1);
  }

  @AfterAll
  static void stop() {
    if (replicas != null) {
      replicas.close();
    }
  }

  private String options(String more) {
    return "?minimumReplicas=1&log=" + directory.resolve("log") + more;
  }

  private static String columns(String table) {
    return "SELECT extra FROM information_schema.columns WHERE table_schema = DATABASE()"
        + " AND table_name = '%s' AND column_name = 'id'".formatted(table);
  }

  @Test
  @Tag("long")
  void thoseThatWaitForEachOtherAreDoneOnce() throws Exception {
    try (ClusterDataSource source = replicas.open(options(""))) {
      List<CompletableFuture<Void>> definers = new ArrayList<>();
      for (int i = 0; i < DEFINERS; i++) {
        String sql = "CREATE TABLE one_of_many_%d (id INT PRIMARY KEY)".formatted(i);
        definers.add(CompletableFuture.runAsync(() -> executeUnchecked(source, sql)));
      }
      definers.forEach(CompletableFuture::join);
      assertThat(source.losses()).isEmpty();
    }
  }

  /** A reader keeps it from the one server at which it reads. */
  @Test
  @Tag("long")
  void whatOneServerGivesUpIsDoneThereLater() throws Exception {
    try (ClusterDataSource source = replicas.open(options(""));
        Connection reader = replicas.direct(0)) {
      execute(source, "CREATE TABLE emptied (id INT PRIMARY KEY)");
      execute(source, "INSERT INTO emptied VALUES (1), (2), (3)");
      keepRead(reader, "emptied");
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(1);
        statement.execute("TRUNCATE TABLE emptied");
      }
      reader.rollback();
      awaitLosses(source, 0);

      execute(source, "INSERT INTO emptied VALUES (4)");
      assertThat(replicas.everywhere("SELECT id FROM emptied", 0, 1)).containsOnly("4\n");
    }
  }

  /** It has nothing of the tables to be told by, as their definitions are the same. */
  @Test
  @Tag("long")
  void whoEmptiedATableAloneDoesNotGoOnAsIfNothingWereLost() throws Exception {
    try (FreezingRelay second = FreezingRelay.to(replicas.place(1));
        Connection reader = replicas.direct(0)) {
      try (ClusterDataSource source = through(second)) {
        execute(source, "CREATE TABLE emptied_alone (id INT PRIMARY KEY)");
        execute(source, "INSERT INTO emptied_alone VALUES (1), (2), (3)");
        keepRead(reader, "emptied_alone");
        CompletableFuture<Void> definer =
            CompletableFuture.runAsync(
                () -> executeUnchecked(source, "TRUNCATE TABLE emptied_alone", 8));
        assertThat(Await.until(LONGEST, () -> isEmpty(1, "emptied_alone"))).isTrue();
        second.freeze();
        awaitLosses(source, 1);
        assertThatThrownBy(definer::join).hasMessageContaining("a replica gave up");
        reader.rollback();
        execute(source, "INSERT INTO emptied_alone VALUES (4)");
        second.thaw();
        awaitLosses(source, 0);

        assertThat(everywhere("SELECT id FROM emptied_alone ORDER BY id"))
            .containsOnly("1\n2\n3\n4\n");
      }
    }
  }

  /** A server may receive it when it was taken out long ago, and is back. */
  @Test
  void whatAServerReceivesLateIsNotDone() throws Exception {
    try (FreezingRelay second = FreezingRelay.to(replicas.place(1));
        ClusterDataSource source = through(second)) {
      execute(source, "CREATE TABLE emptied_late (id INT PRIMARY KEY)");
      execute(source, "INSERT INTO emptied_late VALUES (1)");
      second.keepAt("TRUNCATE TABLE emptied_late");
      execute(source, "TRUNCATE TABLE emptied_late");
      awaitLosses(source, 1);
      second.thaw();
      awaitLosses(source, 0);
      execute(source, "INSERT INTO emptied_late VALUES (2)");

      assertThat(second.deliverKept()).as("the session is still there").isFalse();
      assertThat(everywhere("SELECT id FROM emptied_late")).containsOnly("2\n");
    }
  }

  /** The owner ended within it, and nobody was told how it ended. */
  @Test
  @Tag("long")
  void anOwnerAfterTheOneThatEndedWithinADefinitionTellsWhoMayDiffer() throws Exception {
    try (ClusterDataSource source = replicas.open(options(""))) {
      execute(source, "CREATE TABLE emptied_once (id INT PRIMARY KEY)");
      execute(source, "INSERT INTO emptied_once VALUES (1)");
    }
    try (Connection direct = replicas.direct(0);
        Statement statement = direct.createStatement()) {
      statement.execute(
          "REPLACE INTO terrace_defining VALUES (1, 'TRUNCATE TABLE emptied_once', '')");
      statement.execute("TRUNCATE TABLE emptied_once");
    }
    try (ClusterDataSource source = replicas.open(options("&copy=never"))) {
      assertThat(source.losses().toString()).contains("lost within a definition: TRUNCATE");
    }
    try (ClusterDataSource source = replicas.open(options(""))) {
      awaitLosses(source, 0);
      assertThat(everywhere("SELECT id FROM emptied_once")).containsOnly("1\n");
    }
  }

  private static boolean isEmpty(int replica, String table) {
    try {
      return replicas.everywhere("SELECT count(*) FROM " + table, replica).contains("0\n");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag("long")
  void nobodyWaitsForAReaderForLongerThanForALock() throws Exception {
    try (ClusterDataSource source = replicas.open(options("&lockWaitMillis=1000"));
        Connection reader = replicas.direct(0);
        Connection other = replicas.direct(1)) {
      execute(source, "CREATE TABLE read_for_ever (id INT PRIMARY KEY)");
      keepRead(reader, "read_for_ever");
      keepRead(other, "read_for_ever");

      assertThatThrownBy(() -> execute(source, "TRUNCATE TABLE read_for_ever"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("a replica gave up");
      assertThat(source.losses()).isEmpty();
    }
  }

  /** The servers come to its end while the cluster takes them for lost. */
  @Test
  @Tag("long")
  void whatWasDoneBehindTheClusterIsKnownWhenTheServersAreBack() throws Exception {
    try (FreezingRelay first = FreezingRelay.to(replicas.place(0));
        FreezingRelay second = FreezingRelay.to(replicas.place(1));
        ClusterDataSource source = through(first, second)) {
      loseAllWithin("numbered_late", source, first, second, () -> {});
      assertThat(Await.until(LONGEST, () -> isEverywhere("numbered_late", "auto_increment\n")))
          .isTrue();
      thaw(source, first, second);
      try (Connection direct = replicas.direct(1);
          Statement statement = direct.createStatement()) {
        statement.execute("ALTER TABLE numbered_late AUTO_INCREMENT = 1000");
      }
      execute(source, "INSERT INTO numbered_late (note) VALUES ('a')");
      assertThat(new HashSet<>(everywhere("SELECT id FROM numbered_late"))).hasSize(1);
    }
  }

  /** Nobody would know of it. */
  @Test
  @Tag("long")
  void whatIsStillUnderWayWhenAServerIsBackIsEnded() throws Exception {
    try (FreezingRelay first = FreezingRelay.to(replicas.place(0));
        FreezingRelay second = FreezingRelay.to(replicas.place(1));
        ClusterDataSource source = through(first, second)) {
      loseAllWithin("never_numbered", source, first, second, () -> thaw(source, first, second));
      assertThat(Await.until(LONGEST, () -> everywhere(WAITING).equals(List.of("0\n", "0\n"))))
          .isTrue();
      assertThat(isEverywhere("never_numbered", "\n")).isTrue();
    }
  }

  /**
   * Loses all servers within a definition that waits for a reader at each of them.
   *
   * @param step is done before the readers let go
   */
  private static void loseAllWithin(
      String table,
      ClusterDataSource source,
      FreezingRelay first,
      FreezingRelay second,
      Runnable step)
      throws Exception {
    execute(source, "CREATE TABLE %s (id INT PRIMARY KEY, note TEXT)".formatted(table));
    try (Connection reader = replicas.direct(0);
        Connection other = replicas.direct(1)) {
      keepRead(reader, table);
      keepRead(other, table);
      CompletableFuture<Void> definer =
          CompletableFuture.runAsync(() ->
              executeUnchecked(
                  source, "ALTER TABLE %s MODIFY id INT AUTO_INCREMENT".formatted(table)));
      assertThat(Await.until(LONGEST, () -> everywhere(WAITING).equals(List.of("1\n", "1\n"))))
          .isTrue();
      first.freeze();
      second.freeze();
      awaitLosses(source, 2);
      assertThatThrownBy(definer::join).hasMessageContaining("whose definition may remain");
      step.run();
    }
  }

  private static void thaw(ClusterDataSource source, FreezingRelay first, FreezingRelay second) {
    first.thaw();
    second.thaw();
    awaitLosses(source, 0);
  }

  private ClusterDataSource through(FreezingRelay second) throws SQLException {
    return ClusterDataSource.open(
        "jdbc:terrace:mariadb://%s,%s/shop%s"
            .formatted(
                replicas.place(0),
                second.place(),
                options("&hangMillis=1000&connectMillis=1000&lockWaitMillis=60000")),
        "shop",
        "");
  }

  private ClusterDataSource through(FreezingRelay first, FreezingRelay second) throws SQLException {
    return ClusterDataSource.open(
        "jdbc:terrace:mariadb://%s,%s/shop%s"
            .formatted(
                first.place(),
                second.place(),
                options("&hangMillis=1000&connectMillis=1000&lockWaitMillis=60000")),
        "shop",
        "");
  }

  private static void keepRead(Connection reader, String table) throws SQLException {
    reader.setAutoCommit(false);
    RealReplicas.rows(reader, "SELECT count(*) FROM " + table);
  }

  private static boolean isEverywhere(String table, String extra) {
    return everywhere(columns(table)).equals(List.of(extra, extra));
  }

  private static List<String> everywhere(String query) {
    try {
      return replicas.everywhere(query, 0, 1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void executeUnchecked(ClusterDataSource source, String sql) {
    executeUnchecked(source, sql, 0);
  }

  private static void executeUnchecked(ClusterDataSource source, String sql, int seconds) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(seconds);
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
