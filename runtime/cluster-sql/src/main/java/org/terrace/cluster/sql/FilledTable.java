package org.terrace.cluster.sql;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A MariaDB definition of a table with one row of constants, as CREATE TABLE ... AS SELECT without
 * FROM. The present moment among them can be found once for all replicas.
 */
final class FilledTable {
  private static final Set<String> MOMENTS = Set.of("current_timestamp", "now", "localtimestamp");

  private final String sql;
  private final List<SqlToken> tokens;
  private final int select;
  private final Set<String> filled = new HashSet<>();

  private FilledTable(String sql, List<SqlToken> tokens, int select) {
    this.sql = sql;
    this.tokens = tokens;
    this.select = select;
    for (int i = select + 2, depth = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      if (depth == 0 && tokens.get(i - 1).is("AS")) {
        filled.add(nameOf(token));
      }
    }
  }

  /** Whether a statement is such a definition. */
  static boolean is(List<SqlToken> tokens, Engine engine) {
    return engine == Engine.MARIADB
        && tokens.size() > 1
        && tokens.get(0).is("CREATE")
        && tokens.get(1).is("TABLE")
        && tokens.stream().filter(token -> token.is("SELECT")).count() == 1
        && tokens.stream().noneMatch(token -> token.is("FROM") || token.is("WITH"));
  }

  static FilledTable of(String sql, List<SqlToken> tokens) {
    int select = 0;
    while (!tokens.get(select).is("SELECT")) {
      select++;
    }
    return new FilledTable(sql, tokens, select);
  }

  /** MariaDB takes an alias in double quotes, too, which it takes for a text elsewhere. */
  private static String nameOf(SqlToken token) {
    String text = token.text();
    boolean quoted = token.kind() != SqlToken.Kind.WORD && text.length() > 1;
    return (quoted ? text.substring(1, text.length() - 1) : text).toLowerCase(Locale.ROOT);
  }

  /**
   * Takes a call whose result would differ: a moment in the row is found once, and the default of a
   * column that the row gives fills nothing.
   *
   * @return whether the call is harmless now
   */
  boolean takes(int call, SqlEdits edits) {
    SqlToken token = tokens.get(call);
    if (!MOMENTS.contains(token.name()) || tokens.get(call - 1).isSymbol(".")) {
      return false;
    }
    if (call < select) {
      return tokens.get(call - 1).is("DEFAULT") && filled.contains(columnOf(call));
    }
    boolean parentheses = call + 1 < tokens.size() && tokens.get(call + 1).isSymbol("(");
    if (parentheses && !tokens.get(call + 2).isSymbol(")")) {
      return false;
    }
    int end = tokens.get(parentheses ? call + 2 : call).end();
    edits.evaluate(
        token.start(), end, "CAST(? AS DATETIME)", sql.substring(token.start(), end), null);
    return true;
  }

  /** The column to whose definition a piece belongs: the first name of its part of the list. */
  private String columnOf(int piece) {
    int depth = 0;
    for (int i = piece - 1; i > 0; i--) {
      SqlToken token = tokens.get(i);
      if (token.isSymbol(")")) {
        depth++;
      } else if (token.isSymbol("(") && depth > 0) {
        depth--;
      } else if (depth == 0 && (token.isSymbol("(") || token.isSymbol(","))) {
        return nameOf(tokens.get(i + 1));
      }
    }
    return "";
  }
}
