package org.terrace.cluster.server.copy;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The copy between servers of MariaDB: of the database that the connections are in. */
record MariaDbCopy() implements ServerCopy {
  private static final Pattern DEFINER =
      Pattern.compile("\\bDEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`\\s*");

  private static final String OF_USERS =
      " table_schema = DATABASE() AND table_name NOT LIKE 'terrace\\_%' ";

  private static final int ROWS_DELETED_AT_ONCE = 10_000;

  private static final List<String> SESSION =
      List.of(
          "SET SESSION time_zone = '+00:00'",
          "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
          "SET SESSION foreign_key_checks = 0",
          "SET SESSION unique_checks = 0");

  @Override
  public void beginSnapshot(Connection donor) throws SQLException {
    ShortStatements.execute(donor, SESSION);
    donor.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    donor.setAutoCommit(false);
    ShortStatements.execute(donor, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
  }

  /**
   * Tables that are the same are emptied row by row: a server that is killed while it drops or
   * truncates a table may keep the table's file without the table, and refuse it ever after.
   */
  @Override
  public long copy(Connection donor, Connection target, boolean sameSchema) throws SQLException {
    ShortStatements.execute(target, SESSION);
    List<String> sequences = named(donor, "SEQUENCE");
    List<String> tables = named(donor, "BASE TABLE");
    List<String> triggers =
        ShortStatements.column(
            donor,
            "SELECT trigger_name FROM information_schema.triggers"
                + " WHERE trigger_schema = DATABASE()");
    boolean kept = sameSchema && triggers.isEmpty();
    if (kept) {
      for (String table : tables) {
        empty(target, table);
      }
    } else {
      dropAll(target);
      createTables(donor, target, sequences, tables);
    }
    long rows = 0;
    for (String table : tables) {
      rows += new MariaDbRows(donor, target, table).copy();
    }
    for (String sequence : sequences) {
      String next =
          ShortStatements.column(donor, "SELECT next_not_cached_value FROM " + quoted(sequence))
              .getFirst();
      ShortStatements.execute(target, "SELECT SETVAL(%s, %s, 0)".formatted(quoted(sequence), next));
    }
    if (kept) {
      raiseCounters(donor, target);
    } else {
      createViews(donor, target);
      for (String trigger : triggers) {
        ShortStatements.execute(target, shown(donor, "SHOW CREATE TRIGGER " + quoted(trigger), 2));
      }
    }
    return rows;
  }

  private static void empty(Connection target, String table) throws SQLException {
    try (Statement statement = target.createStatement()) {
      String some = "DELETE FROM " + quoted(table) + " LIMIT " + ROWS_DELETED_AT_ONCE;
      while (statement.executeUpdate(some) > 0) {
        // Each is a transaction of its own, so that none has to remember a whole table.
      }
    }
  }

  private static void createTables(
      Connection donor, Connection target, List<String> sequences, List<String> tables)
      throws SQLException {
    for (String sequence : sequences) {
      ShortStatements.execute(target, shown(donor, "SHOW CREATE SEQUENCE " + quoted(sequence), 1));
    }
    for (String table : tables) {
      ShortStatements.execute(target, shown(donor, "SHOW CREATE TABLE " + quoted(table), 1));
    }
  }

  /** Counters that rows have not raised as far as the donor's. */
  private static void raiseCounters(Connection donor, Connection target) throws SQLException {
    Map<String, String> own = counters(target);
    for (Map.Entry<String, String> theirs : counters(donor).entrySet()) {
      String reached = own.getOrDefault(theirs.getKey(), "0");
      if (new BigInteger(reached).compareTo(new BigInteger(theirs.getValue())) < 0) {
        ShortStatements.execute(
            target,
            "ALTER TABLE %s AUTO_INCREMENT = %s"
                .formatted(quoted(theirs.getKey()), theirs.getValue()));
      }
    }
  }

  private static Map<String, String> counters(Connection connection) throws SQLException {
    Map<String, String> counters = new TreeMap<>();
    for (List<@Nullable String> row :
        ShortStatements.rows(
            connection,
            "SELECT table_name, auto_increment FROM information_schema.tables"
                + " WHERE auto_increment IS NOT NULL AND table_type = 'BASE TABLE' AND"
                + OF_USERS)) {
      counters.put(ShortStatements.text(row, 0), ShortStatements.text(row, 1));
    }
    return counters;
  }

  private static void dropAll(Connection target) throws SQLException {
    for (String view : named(target, "VIEW")) {
      ShortStatements.execute(target, "DROP VIEW IF EXISTS " + quoted(view));
    }
    for (String table : named(target, "BASE TABLE")) {
      ShortStatements.execute(target, "DROP TABLE IF EXISTS " + quoted(table));
    }
    for (String sequence : named(target, "SEQUENCE")) {
      ShortStatements.execute(target, "DROP SEQUENCE IF EXISTS " + quoted(sequence));
    }
  }

  private static List<String> named(Connection connection, String type) throws SQLException {
    return ShortStatements.column(
        connection,
        "SELECT table_name FROM information_schema.tables WHERE table_type = '"
            + type
            + "' AND"
            + OF_USERS
            + "ORDER BY table_name");
  }

  /** A definition as its server writes it, without the account that made it. */
  private static String shown(Connection donor, String question, int column) throws SQLException {
    List<@Nullable String> row = ShortStatements.rows(donor, question).getFirst();
    return DEFINER.matcher(ShortStatements.text(row, column)).replaceFirst("");
  }

  /** Makes views, each once those are there that it is built on. */
  private static void createViews(Connection donor, Connection target) throws SQLException {
    List<String> left = new ArrayList<>();
    for (String view : named(donor, "VIEW")) {
      left.add(shown(donor, "SHOW CREATE VIEW " + quoted(view), 1));
    }
    while (!left.isEmpty()) {
      SQLException failure = null;
      List<String> again = new ArrayList<>();
      for (String view : left) {
        try {
          ShortStatements.execute(target, view);
        } catch (SQLException e) {
          failure = e;
          again.add(view);
        }
      }
      if (failure != null && again.size() == left.size()) {
        throw failure;
      }
      left = again;
    }
  }

  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
