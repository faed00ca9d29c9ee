package org.terrace.board;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.board.store.BoardDialect;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * The program that disturbs the board's database from inside, as another program of its owner
 * might: it obeys lines on standard input, one at a time. {@code row-lock SECONDS} holds the rows
 * of all stories and members for so long. {@code checkpoint MEBIBYTES} makes so many pages dirty in
 * a table of its own, has the database write them, and drops the table.
 *
 * <p>Answers are lines on standard output: {@code row-lock start EPOCH_NANOS} once the rows are
 * held and {@code row-lock end EPOCH_NANOS} once they are free; likewise {@code dirty-pages} and
 * {@code checkpoint}. What fails is told on standard error, and the program goes on.
 */
public final class DatabaseBreaker {
  private static final String USAGE = "--database-url URL --database-user USER";
  private static final Pattern ORDER =
      Pattern.compile("(row-lock|checkpoint) +([0-9]{1,4}(?:\\.[0-9]{1,9})?)");
  private static final int ROWS_PER_MEBIBYTE = 1_000;

  private final Connection connection;
  private final BoardDialect dialect;
  private final PrintStream out;
  private final TimeSource time;

  DatabaseBreaker(Connection connection, BoardDialect dialect, PrintStream out, TimeSource time) {
    this.connection = connection;
    this.dialect = dialect;
    this.out = out;
    this.time = time;
  }

  /** Obeys until its input ends; see {@link #USAGE}. */
  public static void main(String[] arguments) {
    try {
      Flags flags = Flags.of(arguments);
      String url = flags.text("--database-url");
      Properties properties = new Properties();
      properties.setProperty("user", flags.text("--database-user", "board"));
      flags.end();
      BoardDialect dialect = BoardDialect.of(url);
      if (dialect == BoardDialect.POSTGRESQL) {
        properties.setProperty("sslmode", "disable");
      }
      try (Connection connection = DriverManager.getConnection(url, properties);
          var lines =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        System.out.println("ready");
        DatabaseBreaker breaker =
            new DatabaseBreaker(connection, dialect, System.out, TimeSource.system());
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          breaker.obey(line.strip());
        }
      } catch (SQLException | IOException e) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS, "Cannot disturb the database: " + e.getMessage(), e);
      }
    } catch (TerraceException e) {
      System.err.println("board: " + e.getMessage());
      System.err.println("Usage: DatabaseBreaker " + USAGE);
      System.exit(e.code().exitCode());
    }
  }

  void obey(String line) {
    Matcher order = ORDER.matcher(line);
    if (!order.matches()) {
      out.println("unknown " + line.substring(0, Math.min(80, line.length())));
      return;
    }
    double amount = Double.parseDouble(order.group(2));
    try {
      switch (order.group(1)) {
        case "row-lock" -> holdRows(Duration.ofNanos(Math.round(amount * 1e9)));
        default -> checkpoint(Math.round(amount * ROWS_PER_MEBIBYTE));
      }
    } catch (SQLException e) {
      System.err.println("board: " + line + ": " + e.getMessage());
    }
  }

  private void holdRows(Duration length) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT id FROM stories FOR UPDATE");
      statement.execute("SELECT id FROM users FOR UPDATE");
      tell("row-lock start");
      long end = time.elapsedNanos() + length.toNanos();
      for (long left = length.toNanos(); left > 0; left = end - time.elapsedNanos()) {
        LockSupport.parkNanos(left);
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
      tell("row-lock end");
    }
  }

  private void checkpoint(long rows) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (rows > 0) {
        tell("dirty-pages start");
        statement.execute("DROP TABLE IF EXISTS terrace_dirty");
        statement.execute("CREATE TABLE terrace_dirty (id integer, filler varchar(1024))");
        statement.execute("INSERT INTO terrace_dirty SELECT n, " + filler() + numbers(rows));
        tell("dirty-pages end");
      }
      tell("checkpoint start");
      for (String write : writing(rows)) {
        statement.execute(write);
      }
      tell("checkpoint end");
      statement.execute("DROP TABLE IF EXISTS terrace_dirty");
    }
  }

  private static String filler() {
    return "repeat('x', 1000)";
  }

  private String numbers(long rows) {
    return switch (dialect) {
      case POSTGRESQL -> " FROM generate_series(1, %d) AS numbers (n)".formatted(rows);
      case MARIADB, NDB_LIKE ->
          " FROM (SELECT seq AS n FROM seq_1_to_%d) AS numbers".formatted(rows);
    };
  }

  /** The statements that write dirty pages; MariaDB writes those of a table. */
  private List<String> writing(long rows) {
    return switch (dialect) {
      case POSTGRESQL -> List.of("CHECKPOINT");
      case MARIADB, NDB_LIKE ->
          List.of(
              "FLUSH TABLES " + (rows > 0 ? "terrace_dirty" : "stories, users") + " FOR EXPORT",
              "UNLOCK TABLES");
    };
  }

  private void tell(String what) {
    out.println(what + ' ' + time.epochNanos());
  }
}
