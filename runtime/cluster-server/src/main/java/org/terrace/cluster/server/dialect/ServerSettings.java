package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
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
          "auto_increment_increment",
          "character_set_client",
          "sql_select_limit",
          "group_concat_max_len",
          "max_sort_length");

  /** The encodings of clients in which a byte of ASCII may be a part of another character. */
  private static final Set<String> NOT_ASCII =
      Set.of("big5", "gbk", "gb18030", "sjis", "cp932", "ucs2", "utf16", "utf16le", "utf32");

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
      // What sorts texts has more columns in later versions, and is the system's own in part.
      parts.add(
          "SELECT 'collation', concat_ws(' ', datcollate, datctype,"
              + " to_jsonb(d) ->> 'datlocprovider', to_jsonb(d) ->> 'daticulocale',"
              + " to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticurules',"
              + " to_jsonb(d) ->> 'datcollversion') FROM pg_database d"
              + " WHERE datname = current_database()");
    } else {
      MARIADB.forEach(name -> parts.add("SELECT '%1$s', @@%1$s".formatted(name)));
      parts.add(
          "SELECT 'character_set_collations', (SELECT session_value"
              + " FROM information_schema.system_variables"
              + " WHERE variable_name = 'CHARACTER_SET_COLLATIONS')");
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
      case "character_set_client" -> {
        if (NOT_ASCII.contains(value.toLowerCase(Locale.ROOT))) {
          throw unsuitable(
              "its setting character_set_client is " + value,
              "set character_set_client to utf8mb4");
        }
      }
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
