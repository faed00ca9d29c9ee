package org.terrace.cluster.sql;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of a session that it takes along to every replica, by SET and RESET. */
public final class SessionSetting {
  private static final Set<String> HARMLESS =
      Set.of(
          "role",
          "search_path",
          "names",
          "application_name",
          "statement_timeout",
          "lock_timeout",
          "client_min_messages",
          "foreign_key_checks",
          "unique_checks",
          "sql_safe_updates");

  private static final Pattern AS_WRITTEN =
      Pattern.compile("(SET|RESET|SELECT set_config)\\b", Pattern.CASE_INSENSITIVE);

  private SessionSetting() {}

  static StatementAnalysis analyze(String sql, List<SqlToken> tokens)
      throws RefusedStatementException {
    boolean list = tokens.stream().anyMatch(token -> token.isSymbol("="));
    boolean harmless = false;
    for (int i = 1; i < tokens.size(); i++) {
      boolean names = list ? i + 1 < tokens.size() && tokens.get(i + 1).isSymbol("=") : i < 3;
      if (names) {
        boolean known = HARMLESS.contains(tokens.get(i).name());
        harmless |= known;
        if (list && !known) {
          throw refused();
        }
      }
    }
    if (!harmless) {
      throw refused();
    }
    return StatementAnalysis.simple(StatementAnalysis.Kind.SETTING, sql);
  }

  /** Whether a query does nothing but change a setting for the rest of the session. */
  static boolean isQuery(List<SqlToken> tokens) {
    return tokens.size() == 9
        && tokens.get(0).is("SELECT")
        && tokens.get(1).is("SET_CONFIG")
        && isTakenAlong(tokens.get(3))
        && tokens.get(7).is("FALSE");
  }

  /** Whether a text names a setting that sessions take along. */
  static boolean isTakenAlong(SqlToken name) {
    String text = name.text();
    return name.kind() == SqlToken.Kind.STRING
        && HARMLESS.contains(text.substring(1, text.length() - 1).toLowerCase(ROOT));
  }

  private static RefusedStatementException refused() {
    return new RefusedStatementException(
        "it changes how one server's session behaves",
        "put it into the URL as driver.NAME, or into the configuration of all servers");
  }

  /** Whether a statement is a setting, as {@link #inline} writes them. */
  public static boolean isSetting(String sql) {
    return AS_WRITTEN.matcher(sql).lookingAt();
  }

  /**
   * The statement with its values instead of its parameters, as it is done again elsewhere. It
   * begins with its keyword.
   */
  public static String inline(String sql, Engine engine, List<@Nullable Object> values)
      throws RefusedStatementException {
    List<SqlToken> tokens = new ArrayList<>(SqlScanner.scan(sql, engine));
    int end = sql.length();
    while (tokens.getLast().isSymbol(";")) {
      end = tokens.removeLast().start();
    }
    boolean query = isQuery(tokens);
    StringBuilder text = new StringBuilder(query ? "SELECT set_config" : "");
    int from = tokens.get(query ? 2 : 0).start();
    int place = 0;
    for (SqlToken token : tokens) {
      if (token.kind() == SqlToken.Kind.PARAMETER && place < values.size()) {
        text.append(sql, from, token.start()).append(literal(values.get(place++), engine));
        from = token.end();
      }
    }
    return text.append(sql, from, end).toString();
  }

  private static String literal(@Nullable Object value, Engine engine) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    }
    String doubled = value.toString().replace("'", "''");
    return "'" + (engine == Engine.MARIADB ? doubled.replace("\\", "\\\\") : doubled) + "'";
  }
}
