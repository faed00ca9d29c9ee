package org.terrace.cluster.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The copy between servers of MariaDB: of the database that the connections are in. */
record MariaDbCopy() implements ServerCopy {
  private static final Pattern DEFINER =
      Pattern.compile("\\bDEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`\\s*");

  private static final String OF_USERS =
      " table_schema = DATABASE() AND table_name NOT LIKE 'terrace\\_%' ";

  private static final List<String> SESSION =
      List.of(
          "SET SESSION time_zone = '+00:00'",
          "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
          "SET SESSION foreign_key_checks = 0",
          "SET SESSION unique_checks = 0");

  @Override
  public void beginSnapshot(Connection donor) throws SQLException {
    Sql.execute(donor, SESSION);
    donor.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    donor.setAutoCommit(false);
    Sql.execute(donor, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
  }

  /** Definitions are made anew in any case, which costs no more than to empty the tables. */
  @Override
  public long copy(Connection donor, Connection target, boolean sameSchema) throws SQLException {
    Sql.execute(target, SESSION);
    dropAll(target);
    List<String> sequences = named(donor, "SEQUENCE");
    for (String sequence : sequences) {
      Sql.execute(target, shown(donor, "SHOW CREATE SEQUENCE " + quoted(sequence), 1));
    }
    List<String> tables = named(donor, "BASE TABLE");
    for (String table : tables) {
      Sql.execute(target, shown(donor, "SHOW CREATE TABLE " + quoted(table), 1));
    }
    long rows = 0;
    for (String table : tables) {
      rows += new MariaDbRows(donor, target, table).copy();
    }
    for (String sequence : sequences) {
      String next =
          Sql.column(donor, "SELECT next_not_cached_value FROM " + quoted(sequence)).getFirst();
      Sql.execute(target, "SELECT SETVAL(%s, %s, 0)".formatted(quoted(sequence), next));
    }
    createViews(donor, target);
    for (String trigger :
        Sql.column(
            donor,
            "SELECT trigger_name FROM information_schema.triggers"
                + " WHERE trigger_schema = DATABASE()")) {
      Sql.execute(target, shown(donor, "SHOW CREATE TRIGGER " + quoted(trigger), 2));
    }
    return rows;
  }

  private static void dropAll(Connection target) throws SQLException {
    for (String view : named(target, "VIEW")) {
      Sql.execute(target, "DROP VIEW IF EXISTS " + quoted(view));
    }
    for (String table : named(target, "BASE TABLE")) {
      Sql.execute(target, "DROP TABLE IF EXISTS " + quoted(table));
    }
    for (String sequence : named(target, "SEQUENCE")) {
      Sql.execute(target, "DROP SEQUENCE IF EXISTS " + quoted(sequence));
    }
  }

  private static List<String> named(Connection connection, String type) throws SQLException {
    return Sql.column(
        connection,
        "SELECT table_name FROM information_schema.tables WHERE table_type = '"
            + type
            + "' AND"
            + OF_USERS
            + "ORDER BY table_name");
  }

  /** A definition as its server writes it, without the account that made it. */
  private static String shown(Connection donor, String question, int column) throws SQLException {
    List<@Nullable String> row = Sql.rows(donor, question).getFirst();
    return DEFINER.matcher(Sql.text(row, column)).replaceFirst("");
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
          Sql.execute(target, view);
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
