package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.terrace.core.TimeSource;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;

/** A real server that checkpoints, and lets one transaction wait for another's row. */
@Tag("real-processes")
@Timeout(120)
class PostgresEvidenceTest {
  private static final String ADDRESS = "127.0.0.1";
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void theEventsOfARealServerLieWithinItsLife() throws Exception {
    PostgresOptions options =
        PostgresOptions.at(ADDRESS, freePort())
            .withSetting("deadlock_timeout", "20ms")
            .withSetting("log_lock_waits", "on")
            .withSetting("log_checkpoints", "on");
    long before = TimeSource.system().epochNanos();
    Path log;
    try (PostgresServer server = new PostgresServer(options).initialise()) {
      server.start();
      Path data = server.dataDirectory();
      waitForARow(server, data.resolveSibling(data.getFileName() + ".log"));
      server.stop();
      log =
          Files.copy(data.resolveSibling(data.getFileName() + ".log"), directory.resolve("db.log"));
    }
    long after = TimeSource.system().epochNanos();

    Evidence read = EvidenceFile.read(log, "db1", null);

    assertThat(read.events())
        .extracting(Event::kind)
        .contains(EventKinds.LOCK_WAIT, EventKinds.CHECKPOINT);
    assertThat(read.events())
        .allSatisfy(event -> {
          // The log counts whole milliseconds.
          assertThat(event.startNanos()).isGreaterThan(before - 1_000_000);
          assertThat(event.endNanos()).isLessThan(after);
        });
    assertThat(read.events())
        .filteredOn(event -> event.kind().equals(EventKinds.LOCK_WAIT))
        .allSatisfy(event -> {
          assertThat(event.endNanos() - event.startNanos()).isGreaterThan(19_000_000);
          assertThat(event.attributes()).containsEntry("lock", "ShareLock").containsKey("holders");
        });
  }

  private static void waitForARow(PostgresServer server, Path log) throws Exception {
    try (Connection holder = connect(server);
        Statement holding = holder.createStatement();
        Connection waiter = connect(server);
        Statement waiting = waiter.createStatement()) {
      holding.execute("CREATE TABLE t (n int)");
      holding.execute("INSERT INTO t VALUES (1)");
      holder.setAutoCommit(false);
      holding.execute("UPDATE t SET n = 2");
      CompletableFuture<Void> done =
          CompletableFuture.runAsync(() -> execute(waiting, "UPDATE t SET n = 3"));
      assertThat(Await.until(SOON, () -> says(log, "still waiting for ShareLock"))).isTrue();
      holder.commit();
      done.join();
      execute(waiting, "CHECKPOINT");
    }
  }

  private static boolean says(Path log, String words) {
    try {
      return Files.readString(log).contains(words);
    } catch (IOException e) {
      return false;
    }
  }

  private static void execute(Statement statement, String sql) {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection connect(PostgresServer server) throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.jdbcUrl());
    source.setUser(server.options().user());
    return source.getConnection();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
