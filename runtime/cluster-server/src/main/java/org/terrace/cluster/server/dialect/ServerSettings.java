package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.sql.Engine;

/**
 * The settings of a server's sessions by which the same statement means something else: they must
 * be equal at all servers of a cluster, and some as statements are judged by.
 *
 * @param lines each as its name and its value, in an order that is the same everywhere
 */
public record ServerSettings(List<String> lines) {
  /** The modes in which a text, a name or a number is read otherwise than statements are judged. */
  private static final List<String> MODES_REFUSED =
      List.of(
          "ANSI_QUOTES",
          "NO_BACKSLASH_ESCAPES",
          "ORACLE",
          "NO_AUTO_VALUE_ON_ZERO",
          "EMPTY_STRING_IS_NULL");

  private static final List<String> POSTGRESQL =
      List.of(
          "standard_conforming_strings",
          "backslash_quote",
          "array_nulls",
          "transform_null_equals",
          "bytea_output",
          "xmlbinary",
          "xmloption",
          "IntervalStyle",
          "DateStyle",
          "TimeZone",
          "timezone_abbreviations",
          "extra_float_digits",
          "default_text_search_config",
          "lc_monetary",
          "lc_numeric",
          "lc_time",
          "search_path",
          "session_replication_role",
          "row_security",
          "server_encoding");

  private static final List<String> MARIADB =
      List.of(
          "sql_mode",
          "old_mode",
          "explicit_defaults_for_timestamp",
          "sql_auto_is_null",
          "foreign_key_checks",
          "unique_checks",
          "check_constraint_checks",
          "character_set_connection",
          "collation_connection",
          "character_set_database",
          "collation_database",
          "character_set_server",
          "collation_server",
          "default_storage_engine",
          "default_week_format",
          "lc_time_names",
          "div_precision_increment",
          "lower_case_table_names",
          "auto_increment_increment");

  /** Copies the lines. */
  public ServerSettings {
    lines = List.copyOf(lines);
  }

  /**
   * Reads them in a session as the cluster's are.
   *
   * @throws SQLException also when statements would be judged otherwise than the server reads them
   */
  public static ServerSettings of(Engine engine, Connection connection) throws SQLException {
    List<String> lines = new ArrayList<>();
    for (List<@Nullable String> row : EngineDialect.rows(connection, query(engine))) {
      String name = Objects.requireNonNull(row.getFirst());
      String value = String.valueOf(row.getLast());
      check(name, value);
      lines.add(name + " " + value);
    }
    return new ServerSettings(lines);
  }

  private static String query(Engine engine) {
    List<String> parts = new ArrayList<>();
    if (engine == Engine.POSTGRESQL) {
      POSTGRESQL.forEach(
          name -> parts.add("SELECT '%1$s', current_setting('%1$s', true)".formatted(name)));
      parts.add(
          "SELECT 'collation', datcollate || ' ' || datctype FROM pg_database"
              + " WHERE datname = current_database()");
    } else {
      MARIADB.forEach(name -> parts.add("SELECT '%1$s', @@%1$s".formatted(name)));
      // A zone's short name is the one of the season in which the server was started.
      parts.add("SELECT 'noon of a winter day', UNIX_TIMESTAMP('2026-01-15 12:00:00')");
      parts.add("SELECT 'noon of a summer day', UNIX_TIMESTAMP('2026-07-15 12:00:00')");
    }
    return String.join(" UNION ALL ", parts);
  }

  private static void check(String name, String value) throws SQLException {
    String upper = value.toUpperCase(Locale.ROOT);
    switch (name) {
      case "sql_mode" -> {
        for (String mode : MODES_REFUSED) {
          if (List.of(upper.split(",")).contains(mode)) {
            throw unsuitable("its sql_mode has " + mode, "take that mode out");
          }
        }
      }
      case "standard_conforming_strings" -> checkIs(name, value, "on");
      case "explicit_defaults_for_timestamp" -> checkIs(name, value, "1");
      case "sql_auto_is_null" -> checkIs(name, value, "0");
      default -> {}
    }
  }

  private static void checkIs(String name, String value, String wanted) throws SQLException {
    if (!value.equals(wanted)) {
      throw unsuitable(
          "its setting %s is %s".formatted(name, value), "set %s to %s".formatted(name, wanted));
    }
  }

  private static SQLException unsuitable(String what, String wayOut) {
    return new SQLException(
        what
            + ", with which it reads statements otherwise than the cluster judges them: "
            + wayOut
            + ", for the account or in the server's configuration",
        SqlStates.NOT_SUPPORTED);
  }

  /** Tells how another server's settings differ, with the way out; empty: they do not. */
  public String difference(String name, ServerSettings other, String otherName) {
    for (int i = 0; i < Math.min(lines.size(), other.lines.size()); i++) {
      if (!lines.get(i).equals(other.lines.get(i))) {
        return "%s has the setting '%s', and %s has '%s'. First give both the same."
            .formatted(name, lines.get(i), otherName, other.lines.get(i));
      }
    }
    return "";
  }
}
