package org.terrace.cluster.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;

@Tag("real-processes")
@Tag("untimed")
class RunningStatementsTest {
  private static final String ADDRESS = "127.14.30.3";
  private static final String DATABASE = "shop";
  private static final long LIMIT_SECONDS = 30;

  /** A value that a driver has begun to send and whose bytes come once they are let go. */
  private static final class HeldValue extends InputStream {
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    @Override
    public int read() {
      begun.complete(null);
      released.join();
      return 'x';
    }

    @Override
    public int read(byte[] bytes, int from, int count) {
      bytes[from] = (byte) read();
      return 1;
    }
  }

  @Test
  void aCancelThatComesBeforeTheStatementEndsItAllTheSame() throws Exception {
    try (PostgresServer server =
        new PostgresServer(
            PostgresOptions.at(ADDRESS, freePort())
                .withDatabase(DATABASE, DATABASE)
                .withSizes(16, 20)
                .withDurability(Durability.NONE))) {
      server.initialise().start();
      try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), DATABASE, "");
          PreparedStatement statement =
              connection.prepareStatement("SELECT pg_sleep(60), ?::bytea")) {
        HeldValue value = new HeldValue();
        statement.setBinaryStream(1, value, 1);
        RunningStatements running = new RunningStatements();
        CompletableFuture<SQLException> failed = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> execute(statement, running, failed));
        value.begun.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        running.cancel();
        value.released.complete(null);

        assertThat(failed.get(LIMIT_SECONDS, TimeUnit.SECONDS).getSQLState()).isEqualTo("57014");
        assertThat(seven(connection)).isEqualTo(7);
      }
    }
  }

  private static void execute(
      PreparedStatement statement,
      RunningStatements running,
      CompletableFuture<SQLException> failed) {
    try {
      running.begin(statement);
      statement.execute();
      failed.completeExceptionally(new AssertionError("it came to its end"));
    } catch (SQLException e) {
      failed.complete(e);
    } finally {
      running.end(statement);
    }
  }

  private static int seven(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT 7");
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      return socket.getLocalPort();
    }
  }
}
