package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;

/** A database whose user has a password is filled, counted and served by programs that read it. */
@Tag("real-processes")
@Tag("untimed")
class DatabasePasswordTest {
  private static final String ADDRESS = "127.14.4.31";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void thePasswordIsReadFromAFile() throws IOException, SQLException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(ADDRESS))) {
      port = socket.getLocalPort();
    }
    try (MariaDbServer server =
        new MariaDbServer(
            MariaDbOptions.at(ADDRESS, port, "board")
                .withSetting("innodb-buffer-pool-size", "32M")
                .withWordsOfAnyLength()
                .withoutDurability())) {
      server.initialise().start();
      String url = server.jdbcUrl();
      try (Connection connection = DriverManager.getConnection(url, "board", "");
          Statement statement = connection.createStatement()) {
        statement.execute("SET PASSWORD = PASSWORD('s3cret')");
      }
      assertThatThrownBy(() -> DriverManager.getConnection(url, "board", "").close())
          .isInstanceOf(SQLException.class);
      String file = Files.writeString(folder.resolve("secret"), "s3cret\n").toString();
      // It asks for as long as a database may take to start.
      CompletableFuture<BoardServer> refused =
          CompletableFuture.supplyAsync(
              () -> BoardServer.start(options(url, "")), Thread::startVirtualThread);

      BoardLoader.main(
          new String[] {
            "--database-url", url, "--database-password-file", file, "--scale", "0.001"
          });
      Path rows = folder.resolve("rows");
      BoardRows.main(
          new String[] {
            "--database-url", url, "--database-password-file", file, "--out", rows.toString()
          });
      assertThat(Long.parseLong(Files.readString(rows).strip())).isPositive();
      try (BoardServer board = BoardServer.start(options(url, file));
          Visitor visitor = new Visitor("http://" + ADDRESS + ":" + board.port())) {
        assertThat(visitor.get("/health").status()).isEqualTo(200);
      }
      assertThat(refused)
          .failsWithin(PATIENCE)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(TerraceException.class)
          .withMessageContaining("Cannot connect");
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    String file = folder.resolve("none").toString();

    assertThatThrownBy(() -> BoardServer.start(options("jdbc:mariadb://a/b", file)).close())
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--database-password-file: " + file);
  }

  private static BoardServerOptions options(String url, String passwordFile) {
    return new BoardServerOptions(
        "app1", ADDRESS, 0, url, "board", passwordFile, "", 2, 4, 100, 0, List.of(), List.of(), "");
  }
}
