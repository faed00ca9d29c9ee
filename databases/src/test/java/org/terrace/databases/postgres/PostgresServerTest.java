package org.terrace.databases.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.databases.DirectoryTree;
import org.terrace.databases.MachineCache;
import org.terrace.databases.ServerAccount;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.testing.Await;

/** A real server of the real programs. */
@Tag("real-processes")
@Tag("untimed")
class PostgresServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ADDRESS = "127.14.9.1";

  @Test
  void aServerIsPreparedAndStartedAndForgotten() throws Exception {
    Path data;
    try (PostgresServer server = new PostgresServer(options(freePort()))) {
      server.initialise().start();
      data = server.dataDirectory();

      try (Connection connection = connect(server)) {
        assertThat(value(connection, "SELECT version()")).startsWith("PostgreSQL 18");
        assertThat(value(connection, "SHOW data_checksums")).isEqualTo("on");
        assertThat(value(connection, "SHOW server_encoding")).isEqualTo("UTF8");
        assertThat(value(connection, "SELECT inet_server_addr()")).isEqualTo(ADDRESS);
      }
      assertThat(server.isReady()).isTrue();
      assertThat(session(pid(server)))
          .as("the session, which a Ctrl-C at the terminal does not reach")
          .isNotEqualTo(session(ProcessHandle.current().pid()));
    }
    assertThat(data).doesNotExist();
  }

  private static long pid(PostgresServer server) throws IOException {
    return Long.parseLong(
        Files.readAllLines(server.dataDirectory().resolve("postmaster.pid")).getFirst().strip());
  }

  /** The sixth field of a process's state; neither program's name holds a blank. */
  private static String session(long pid) throws IOException {
    return Files.readString(Path.of("/proc", Long.toString(pid), "stat")).split(" ", -1)[5];
  }

  @Test
  void theRoleIsNoSuperuserAndTheOnlyOneThatMayLogIn() throws Exception {
    try (PostgresServer server = new PostgresServer(options(freePort()))) {
      server.initialise().start();

      try (Connection connection = connect(server)) {
        assertThat(value(connection, "SHOW is_superuser")).isEqualTo("off");
      }
      assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), "postgres", ""))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("no pg_hba.conf entry");
    }
  }

  /** The file that the crashed server left in its directory says that it is ready. */
  @Test
  @Tag("long")
  void aServerThatCrashedIsReadyWhenItHasStartedAgain() throws Exception {
    try (PostgresServer server = new PostgresServer(options(freePort()))) {
      server.initialise().start();

      server.crash();
      assertThat(server.isReady()).isFalse();
      server.start();
      try (Connection connection = connect(server)) {
        assertThat(value(connection, "SELECT 1")).isEqualTo("1");
      }
    }
  }

  @Test
  void itsProcessesAreNotRoot() throws Exception {
    try (PostgresServer server = new PostgresServer(options(freePort()))) {
      server.initialise().start();

      String pid = Files.readAllLines(server.dataDirectory().resolve("postmaster.pid")).getFirst();
      assertThat((int) Files.getAttribute(Path.of("/proc", pid), "unix:uid")).isNotZero();
    }
  }

  @Test
  void aSupervisorCanStartItWithTheCommandAndStopItWithTheOther() throws Exception {
    try (PostgresServer server = new PostgresServer(options(freePort()))) {
      server.initialise();
      server.checkAddress();
      Process process =
          new ProcessBuilder(server.command())
              .directory(new java.io.File("/"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        assertThat(Await.until(PATIENCE, () -> server.isReady() || !process.isAlive())).isTrue();
        assertThat(process.isAlive()).isTrue();
        try (Connection open = connect(server)) {
          assertThat(value(open, "SELECT 1")).isEqualTo("1");
          Process stop = new ProcessBuilder(server.stopCommand()).inheritIO().start();
          assertThat(stop.waitFor()).isZero();
        }
        assertThat(process.waitFor()).isZero();
        assertThat(server.isReady()).isFalse();
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void keptDataComeBackInAnotherServerAndTheOldestAreForgotten() throws Exception {
    ServerAccount account = ServerAccount.ofThisProcess();
    PostgresPrograms programs = PostgresPrograms.installed(MachineCache.directory(account));
    Path cache = Files.createTempDirectory("terrace-test-");
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
    PostgresOptions options = options(freePort());
    try {
      try (var first = new PostgresServer(options, account, programs, cache)) {
        assertThat(first.initialise("tea")).isFalse();
        first.start();
        try (Connection connection = connect(first);
            var statement = connection.createStatement()) {
          statement.execute("CREATE TABLE kept AS SELECT 'tea' AS word");
        }
        assertThatThrownBy(() -> first.keepAs("tea")).isInstanceOf(IllegalStateException.class);
        first.stop();
        first.keepAs("tea");
      }
      try (var second = new PostgresServer(options, account, programs, cache)) {
        assertThat(second.initialise("tea")).isTrue();
        second.start();
        try (Connection connection = connect(second)) {
          assertThat(value(connection, "SELECT word FROM kept")).isEqualTo("tea");
        }
        second.stop();
        for (int i = 0; i < PostgresCluster.KEPT_DATA_SETS; i++) {
          second.keepAs("later-" + i);
        }
      }
      try (var third = new PostgresServer(options, account, programs, cache)) {
        assertThat(third.initialise("tea")).isFalse();
      }
    } finally {
      DirectoryTree.delete(cache);
    }
  }

  @Test
  @Tag("long")
  void severalServersArePreparedAtOnce() throws Exception {
    List<Callable<String>> preparations = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      preparations.add(() -> {
        PostgresOptions options =
            options(freePort()).withDatabase("crowd", "crowd").withSizes(16, 5);
        try (PostgresServer server = new PostgresServer(options)) {
          server.initialise().start();
          try (Connection connection = connect(server)) {
            return value(connection, "SELECT current_database()");
          }
        }
      });
    }
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> result : executor.invokeAll(preparations)) {
        assertThat(result.get()).isEqualTo("crowd");
      }
    }
  }

  @Test
  void aBusyPortIsNamed() throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS));
        PostgresServer server = new PostgresServer(options(busy.getLocalPort()))) {
      server.initialise();

      assertThatThrownBy(server::start)
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining(ADDRESS + " port " + busy.getLocalPort())
          .hasMessageContaining("choose another");
    }
  }

  @Test
  void aSettingThatPostgresRefusesIsShownWithItsLog() throws Exception {
    PostgresOptions wrong = options(freePort()).withSetting("work_mem", "much");
    try (PostgresServer server = new PostgresServer(wrong)) {
      server.initialise();

      assertThatThrownBy(server::start)
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("work_mem");
    }
  }

  @Test
  void aDataDirectoryWithSomethingInItIsLeftAlone() throws Exception {
    Path directory = Files.createTempDirectory("terrace-test-");
    Path file = Files.writeString(directory.resolve("precious"), "x");
    try {
      assertThatThrownBy(() -> new PostgresServer(options(1024).withDataDirectory(directory)))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("not empty");
      assertThat(file).hasContent("x");
    } finally {
      DirectoryTree.delete(directory);
    }
  }

  private static PostgresOptions options(int port) {
    return PostgresOptions.at(ADDRESS, port).withSizes(16, 10).withDurability(Durability.NONE);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      return socket.getLocalPort();
    }
  }

  private static Connection connect(PostgresServer server) throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(), server.options().user(), "");
  }

  private static String value(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
