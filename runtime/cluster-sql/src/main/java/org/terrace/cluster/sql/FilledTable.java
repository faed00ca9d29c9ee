package org.terrace.cluster.sql;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A MariaDB definition of a table with one row of constants, as CREATE TABLE ... AS SELECT without
 * FROM. The present moment among them can be found once for all replicas.
 */
final class FilledTable {
  private static final Set<String> QUERIES = Set.of("select", "with", "values", "table", "execute");
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

  /** The first piece of the query that fills what a CREATE makes; empty: nothing is filled. */
  static Optional<Integer> query(List<SqlToken> tokens, Engine engine) {
    boolean view = tokens.stream().limit(6).anyMatch(token -> token.is("VIEW"));
    boolean kept = tokens.stream().limit(6).anyMatch(token -> token.is("MATERIALIZED"));
    boolean table = tokens.stream().limit(6).anyMatch(token -> token.is("TABLE"));
    int last = tokens.size() - 1;
    boolean empty = tokens.get(last).is("DATA") && tokens.get(last - 1).is("NO");
    if ((view && !kept) || (!kept && !table) || empty) {
      return Optional.empty();
    }
    int depth = 0;
    for (int i = 2; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      boolean outside = depth == 0 && engine == Engine.MARIADB && !isVersioned(tokens, i);
      if (token.is("SELECT")
          || (outside && (token.is("VALUES") || token.is("WITH")))
          || (token.is("AS") && QUERIES.contains(wordBehind(tokens, i)))) {
        return Optional.of(begin(tokens, token.is("AS") ? i + 1 : i));
      }
    }
    return Optional.empty();
  }

  private static boolean isVersioned(List<SqlToken> tokens, int with) {
    return with + 1 < tokens.size() && tokens.get(with + 1).is("SYSTEM");
  }

  /** The word behind a piece and the parentheses that open there, in lower case. */
  private static String wordBehind(List<SqlToken> tokens, int i) {
    int at = i + 1;
    while (at < tokens.size() && tokens.get(at).isSymbol("(")) {
      at++;
    }
    return at < tokens.size() ? tokens.get(at).text().toLowerCase(Locale.ROOT) : "";
  }

  private static int begin(List<SqlToken> tokens, int query) {
    int first = query;
    while (tokens.get(first - 1).isSymbol("(")) {
      first--;
    }
    return first;
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
