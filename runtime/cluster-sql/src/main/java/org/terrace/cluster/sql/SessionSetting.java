package org.terrace.cluster.sql;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.HashSet;
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

  private static final Set<String> UTF_8_ALONE = Set.of("utf8", "utf-8", "unicode", "default");

  /** The encodings in which each byte of ASCII stands for itself, wherever it comes. */
  private static final Set<String> ASCII_IN_IT =
      Set.of("utf8", "utf8mb3", "utf8mb4", "latin1", "ascii", "binary");

  private static final Pattern AS_WRITTEN =
      Pattern.compile(
          "(SET(?!\\s+STATEMENT\\b)|RESET|SELECT set_config)\\b", Pattern.CASE_INSENSITIVE);

  private SessionSetting() {}

  /**
   * Takes a statement that sets nothing but such settings, to values that stand in it: what else
   * MariaDB takes behind SET changes all sessions of one server, or is a statement of its own.
   */
  static StatementAnalysis analyze(String sql, List<SqlToken> tokens, Engine engine)
      throws RefusedStatementException {
    boolean known =
        switch (engine) {
          case POSTGRESQL -> isOfPostgres(tokens);
          case MARIADB -> isOfMariaDb(tokens);
        };
    if (!known) {
      throw refused();
    }
    return StatementAnalysis.simple(StatementAnalysis.Kind.SETTING, sql);
  }

  private static boolean isOfPostgres(List<SqlToken> tokens) throws RefusedStatementException {
    if (tokens.getFirst().is("RESET")) {
      return tokens.size() == 2 && HARMLESS.contains(tokens.get(1).name());
    }
    int name = isAt(tokens, 1, "SESSION") || isAt(tokens, 1, "LOCAL") ? 2 : 1;
    if (tokens.size() < name + 2 || !HARMLESS.contains(tokens.get(name).name())) {
      return false;
    }
    List<SqlToken> values = tokens.subList(name + 1, tokens.size());
    if (tokens.get(name).is("NAMES")) {
      checkEncoding(values, UTF_8_ALONE);
      return true;
    }
    boolean assigned = values.getFirst().is("TO") || values.getFirst().isSymbol("=");
    return (assigned || tokens.get(name).is("ROLE"))
        && areValues(assigned ? values.subList(1, values.size()) : values);
  }

  private static boolean isOfMariaDb(List<SqlToken> tokens) throws RefusedStatementException {
    if (!tokens.getFirst().is("SET")) {
      return false;
    }
    if (isAt(tokens, 1, "ROLE")) {
      return tokens.size() == 3 && areValues(tokens.subList(2, 3));
    }
    int from = 1;
    for (int i = 1; i <= tokens.size(); i++) {
      if (i == tokens.size() || tokens.get(i).isSymbol(",")) {
        if (!isAssignment(tokens.subList(from, i))) {
          return false;
        }
        from = i + 1;
      }
    }
    return true;
  }

  private static boolean isAssignment(List<SqlToken> pieces) throws RefusedStatementException {
    if (isAt(pieces, 0, "NAMES")) {
      checkEncoding(pieces.subList(1, pieces.size()), ASCII_IN_IT);
      return true;
    }
    boolean variable = !pieces.isEmpty() && pieces.getFirst().isSymbol("@@");
    int name = variable ? 1 : 0;
    boolean scoped = !variable || (pieces.size() > 2 && pieces.get(2).isSymbol("."));
    if (scoped && (isAt(pieces, name, "SESSION") || isAt(pieces, name, "LOCAL"))) {
      name += variable ? 2 : 1;
    }
    return pieces.size() > name + 2
        && HARMLESS.contains(pieces.get(name).name())
        && (pieces.get(name + 1).isSymbol("=") || pieces.get(name + 1).isSymbol(":="))
        && areValues(pieces.subList(name + 2, pieces.size()));
  }

  /** Whether there is nothing but values that stand there themselves, with commas between them. */
  private static boolean areValues(List<SqlToken> pieces) {
    boolean expected = true;
    for (int i = 0; i < pieces.size(); i++) {
      SqlToken piece = pieces.get(i);
      boolean signs =
          (piece.isSymbol("-") || piece.isSymbol("+"))
              && i + 1 < pieces.size()
              && pieces.get(i + 1).kind() == SqlToken.Kind.NUMBER;
      if (signs && expected) {
        continue;
      }
      boolean value = piece.kind() != SqlToken.Kind.SYMBOL;
      if (value != expected || (!value && !piece.isSymbol(","))) {
        return false;
      }
      expected = !value;
    }
    return !expected;
  }

  /** Refuses an encoding in which a byte that is no letter may be a part of one. */
  private static void checkEncoding(List<SqlToken> pieces, Set<String> encodings)
      throws RefusedStatementException {
    String name = pieces.isEmpty() ? "" : pieces.getFirst().text().toLowerCase(ROOT);
    boolean collates = pieces.size() == 3 && pieces.get(1).is("COLLATE");
    if ((pieces.size() == 1 || collates) && encodings.contains(name.replaceAll("[\"'`]", ""))) {
      return;
    }
    throw new RefusedStatementException(
        "a server that takes it for text in another encoding reads it otherwise than it is judged",
        "leave SET NAMES out, or set the encoding UTF-8");
  }

  private static boolean isAt(List<SqlToken> tokens, int i, String keyword) {
    return i < tokens.size() && tokens.get(i).is(keyword);
  }

  /** Whether a setting, as {@link #inline} writes it, is for the rest of a transaction alone. */
  public static boolean isLocal(String setting, Engine engine) {
    try {
      return engine == Engine.POSTGRESQL && isAt(SqlScanner.scan(setting, engine), 1, "LOCAL");
    } catch (RefusedStatementException e) {
      return false;
    }
  }

  /** Whether a later setting leaves nothing of an earlier one: it sets all that the other did. */
  static boolean isReplaced(String earlier, String later, Engine engine) {
    Set<String> names = names(earlier, engine);
    boolean all = !names.isEmpty() && names(later, engine).containsAll(names);
    boolean outlived = isLocal(later, engine) && !isLocal(earlier, engine);
    return earlier.equals(later) || (all && !outlived);
  }

  /** The names that a setting sets, in lower case; empty: they cannot be told. */
  private static Set<String> names(String setting, Engine engine) {
    Set<String> names = new HashSet<>();
    try {
      List<SqlToken> tokens = SqlScanner.scan(setting, engine);
      if (isQuery(tokens)) {
        String text = tokens.get(3).text();
        return Set.of(text.substring(1, text.length() - 1).toLowerCase(ROOT));
      }
      boolean next = true;
      for (SqlToken token : tokens.subList(1, tokens.size())) {
        if (next && token.isName() && HARMLESS.contains(token.name())) {
          names.add(token.name());
          next = false;
        }
        next |= engine == Engine.MARIADB && token.isSymbol(",");
      }
    } catch (RefusedStatementException e) {
      names.clear();
    }
    return names;
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
