package org.terrace.board;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.Properties;
import org.terrace.board.data.BoardData;
import org.terrace.board.data.Shape;
import org.terrace.board.data.Table;
import org.terrace.board.store.BoardDialect;
import org.terrace.board.store.SecretFile;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * The program that fills an empty database with a generated board: tables, rows, indexes and
 * statistics, with a line of progress for each step.
 *
 * <p>On PostgreSQL all is one transaction: a load that fails leaves nothing behind. Memory does not
 * grow with the scale.
 */
public final class BoardLoader {
  private static final String USAGE =
      "--database-url URL --database-user USER [--scale 0.01] [--seed 1] [--last-day 2026-06-30]"
          + " [--database-password-file FILE] [--database-local-address ADDRESS] [--replace yes]";
  private static final double NANOS_PER_SECOND = 1e9;
  private final PrintStream progress;
  private final TimeSource time;

  BoardLoader(PrintStream progress, TimeSource time) {
    this.progress = progress;
    this.time = time;
  }

  /** Loads a board; see {@link #USAGE}. */
  public static void main(String[] arguments) {
    try {
      Flags flags = Flags.of(arguments);
      String url = flags.text("--database-url");
      String user = flags.text("--database-user", "board");
      Shape shape =
          new Shape(
              flags.value(
                  "--scale",
                  BoardLoader::scale,
                  () -> scale("0.01"),
                  "a number above 0, at most 10"),
              flags.value("--seed", Long::valueOf, () -> 1L, "a whole number"),
              flags.value(
                  "--last-day",
                  LocalDate::parse,
                  () -> LocalDate.parse("2026-06-30"),
                  "a day like 2026-06-30"));
      Properties properties = new Properties();
      properties.setProperty("user", user);
      String password =
          SecretFile.read("--database-password-file", flags.text("--database-password-file", ""));
      if (!password.isEmpty()) {
        properties.setProperty("password", password);
      }
      if (BoardDialect.of(url) == BoardDialect.POSTGRESQL) {
        properties.setProperty("sslmode", "disable");
      }
      String local = flags.text("--database-local-address", "");
      if (!local.isEmpty()) {
        properties.setProperty("localSocketAddress", local);
      }
      boolean replace = flags.text("--replace", "no").equals("yes");
      flags.end();
      try (Connection connection = DriverManager.getConnection(url, properties)) {
        new BoardLoader(System.out, TimeSource.system()).load(connection, shape, replace);
      } catch (SQLException | IOException e) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "Cannot load the board into %s as '%s': %s".formatted(url, user, e.getMessage()),
            e);
      }
    } catch (TerraceException e) {
      System.err.println("board: " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: BoardLoader " + USAGE);
      }
      System.exit(e.code().exitCode());
    }
  }

  /**
   * Loads a board.
   *
   * @param replace whether a board that is there already is dropped; otherwise it is an error
   */
  void load(Connection connection, Shape shape, boolean replace) throws SQLException, IOException {
    long start = time.elapsedNanos();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      LoadSteps steps =
          switch (BoardDialect.of(connection.getMetaData().getURL())) {
            case POSTGRESQL -> new PostgresLoadSteps(connection, statement);
            case MARIADB -> new MariaDbLoadSteps(statement);
            case NDB_LIKE -> new NdbLikeLoadSteps(connection, statement);
          };
      if (replace) {
        steps.drop();
      } else if (steps.isLoaded()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "The database holds a board already: load into an empty one, or drop it with --replace"
                + " yes.");
      }
      steps.makeTables();
      BoardData data = new BoardData(shape);
      for (Table table : Table.values()) {
        fill(steps, data, table);
      }
      step("indexes", "", steps::makeIndexes);
      steps.advanceNumbers();
      step("statistics", "", steps::analyze);
      connection.commit();
    }
    progress.printf("loaded in %.1f s%n", seconds(start));
  }

  /** A step that may fail as the database does. */
  @FunctionalInterface
  private interface Step {
    void run() throws SQLException, IOException;
  }

  private void fill(LoadSteps steps, BoardData data, Table table) throws SQLException, IOException {
    long start = time.elapsedNanos();
    long rows = steps.fill(data, table);
    progress.printf("%-14s %,10d rows %6.1f s%n", table.tableName(), rows, seconds(start));
  }

  private void step(String name, String detail, Step step) throws SQLException, IOException {
    long start = time.elapsedNanos();
    step.run();
    progress.printf("%-14s %15s %6.1f s%n", name, detail, seconds(start));
  }

  private double seconds(long start) {
    return (time.elapsedNanos() - start) / NANOS_PER_SECOND;
  }

  private static double scale(String value) {
    double scale = Double.parseDouble(value);
    return new Shape(scale, 0, LocalDate.EPOCH).scale();
  }
}
