package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an INSERT or REPLACE by the indices of their pieces.
 *
 * @param nameEnd the last piece of the table's name, or of its alias
 * @param columns the listed columns; empty with {@code columnsOpen} negative: there is no list
 * @param columnsOpen the parenthesis that opens the list of columns, or -1
 * @param overriding the word after OVERRIDING, or -1
 * @param sourceOpen the first parenthesis around the source; the source itself if there is none
 * @param source the piece VALUES, SELECT, SET or DEFAULT with which the rows begin
 * @param rows the parentheses that open the rows of VALUES, if there are no others
 */
record InsertShape(
    String table,
    int nameEnd,
    List<String> columns,
    int columnsOpen,
    int overriding,
    int sourceOpen,
    int source,
    List<Integer> rows) {
  private static final Set<String> MODIFIERS =
      Set.of("low_priority", "delayed", "high_priority", "ignore");
  private static final Set<String> SOURCES =
      Set.of("values", "value", "select", "set", "default", "with", "table");

  /** Words of a row with which a query begins; nothing else in a row names tables. */
  private static final Set<String> QUERIES = Set.of("select", "with", "table", "values");

  static InsertShape of(List<SqlToken> tokens, Engine engine) throws RefusedStatementException {
    int name = 1;
    while (isWord(tokens, name, MODIFIERS)) {
      name++;
    }
    if (name < tokens.size() && tokens.get(name).is("INTO")) {
      name++;
    }
    if (name >= tokens.size() || !tokens.get(name).isName()) {
      throw new RefusedStatementException("its table cannot be found", "write INSERT INTO table");
    }
    while (name + 2 < tokens.size() && tokens.get(name + 1).isSymbol(".")) {
      name += 2;
    }
    String table = tokens.get(name).name();
    if (name + 2 < tokens.size() && tokens.get(name + 1).is("AS")) {
      name += 2;
    }
    int next = name + 1;
    List<String> columns = new ArrayList<>();
    int columnsOpen = -1;
    if (isOpen(tokens, next) && !startsQuery(tokens, next)) {
      columnsOpen = next;
      next = CallScan.closing(tokens, next) + 1;
      columns = columns(tokens.subList(columnsOpen + 1, next - 1), engine);
    }
    int overriding = -1;
    if (next < tokens.size() && tokens.get(next).is("OVERRIDING")) {
      overriding = next + 1;
      next += 3;
    }
    int source = next;
    while (isOpen(tokens, source)) {
      source++;
    }
    if (!isWord(tokens, source, SOURCES)) {
      throw new RefusedStatementException(
          "its rows cannot be found", "write INSERT INTO table (columns) VALUES (...)");
    }
    return new InsertShape(
        table, name, columns, columnsOpen, overriding, next, source, rows(tokens, source));
  }

  /** The columns of a list; of one with several pieces, the name that is a column's. */
  private static List<String> columns(List<SqlToken> list, Engine engine) {
    List<String> columns = new ArrayList<>();
    boolean begins = true;
    int depth = 0;
    for (SqlToken token : list) {
      depth += token.isSymbol("[") || token.isSymbol("(") ? 1 : 0;
      depth -= token.isSymbol("]") || token.isSymbol(")") ? 1 : 0;
      if (depth == 0 && token.isSymbol(",")) {
        begins = true;
      } else if (depth == 0 && token.isName()) {
        if (!begins && engine == Engine.MARIADB) {
          columns.removeLast();
        }
        if (begins || engine == Engine.MARIADB) {
          columns.add(token.name());
        }
        begins = false;
      }
    }
    return columns;
  }

  /** Whether a parenthesis opens a query rather than a list, in which VALUES may be a name. */
  private static boolean startsQuery(List<SqlToken> tokens, int open) {
    int at = open;
    while (isOpen(tokens, at)) {
      at++;
    }
    return at > open + 1
        || (isWord(tokens, at, QUERIES)
            && (!tokens.get(at).is("VALUES") || isOpen(tokens, at + 1)));
  }

  private static boolean isOpen(List<SqlToken> tokens, int at) {
    return at < tokens.size() && tokens.get(at).isSymbol("(");
  }

  private static boolean isWord(List<SqlToken> tokens, int at, Set<String> words) {
    return at < tokens.size()
        && tokens.get(at).kind() == SqlToken.Kind.WORD
        && words.contains(tokens.get(at).name());
  }

  private static List<Integer> rows(List<SqlToken> tokens, int source) {
    List<Integer> rows = new ArrayList<>();
    if (!tokens.get(source).is("VALUES") && !tokens.get(source).is("VALUE")) {
      return rows;
    }
    int at = source + 1;
    while (at < tokens.size() && tokens.get(at).isSymbol("(")) {
      rows.add(at);
      at = CallScan.closing(tokens, at) + 1;
      if (at >= tokens.size() || !tokens.get(at).isSymbol(",")) {
        break;
      }
      at++;
    }
    return isAtEnd(tokens, at) ? rows : List.of();
  }

  /** Whether rows end at a piece, rather than go on with those of a query. */
  private static boolean isAtEnd(List<SqlToken> tokens, int from) {
    int at = from;
    while (at < tokens.size() && tokens.get(at).isSymbol(")")) {
      at++;
    }
    return at >= tokens.size() || tokens.get(at).is("ON") || tokens.get(at).is("RETURNING");
  }

  boolean hasRows() {
    return !rows.isEmpty();
  }

  /** Whether it is one row of defaults, without a list of anything. */
  boolean isAllDefault(List<SqlToken> tokens) {
    return tokens.get(source).is("DEFAULT")
        && source + 1 < tokens.size()
        && tokens.get(source + 1).is("VALUES");
  }

  /**
   * The statement for a parser that knows no empty lists and takes long for each row: without an
   * empty list of columns, with NULL in each empty row, and after the first row only with those
   * that hold a query: the parser is asked for the tables alone, and only a query names one. What a
   * row calls, or leaves to a default, is found in the pieces of the whole statement.
   */
  String forParser(String sql, List<SqlToken> tokens) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    if (columnsOpen >= 0 && isEmpty(tokens, columnsOpen)) {
      text.append(sql, 0, tokens.get(columnsOpen).start());
      from = tokens.get(columnsOpen + 1).end();
    }
    for (int i = 0; i < rows.size(); i++) {
      int open = rows.get(i);
      int close = CallScan.closing(tokens, open);
      if (i > 0 && !hasQuery(tokens, open, close)) {
        text.append(sql, from, tokens.get(open - 1).start());
        from = tokens.get(close).end();
      } else if (isEmpty(tokens, open)) {
        text.append(sql, from, tokens.get(open).end()).append("NULL");
        from = tokens.get(open).end();
      }
    }
    return text.append(sql, from, sql.length()).toString();
  }

  private static boolean hasQuery(List<SqlToken> tokens, int open, int close) {
    for (int i = open; i < close; i++) {
      if (isWord(tokens, i, QUERIES)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEmpty(List<SqlToken> tokens, int open) {
    return open + 1 < tokens.size() && tokens.get(open + 1).isSymbol(")");
  }

  /** Refuses rows of a query of which the first that comes keeps others with its key out. */
  void checkConflicts(List<SqlToken> tokens) throws RefusedStatementException {
    boolean reads =
        !hasRows() && tokens.stream().anyMatch(token -> token.is("FROM") || token.is("TABLE"));
    boolean chooses =
        tokens.getFirst().is("REPLACE")
            || tokens.subList(0, nameEnd).stream().anyMatch(token -> token.is("IGNORE"))
            || tokens.stream().anyMatch(token -> token.is("DUPLICATE") || token.is("NOTHING"));
    if (reads && chooses) {
      throw new RefusedStatementException(
          "which of two rows with the same key is kept is up to each replica",
          "read the rows first and insert them with VALUES");
    }
  }

  /**
   * The index of the first piece that is evaluated for each of several rows; or the end.
   *
   * @param insert the parts of an INSERT; null: it is none
   */
  static int severalFrom(@Nullable InsertShape insert, List<SqlToken> tokens) {
    return insert == null ? tokens.size() : insert.severalFrom(tokens);
  }

  private int severalFrom(List<SqlToken> tokens) {
    boolean one = rows.size() == 1 || isAllDefault(tokens) || tokens.get(source).is("SET");
    int depth = 0;
    for (int i = hasRows() ? rowsEnd(tokens) : source; i < tokens.size() && !one; i++) {
      SqlToken token = tokens.get(i);
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      boolean conflict =
          (token.is("CONFLICT") || token.is("DUPLICATE")) && tokens.get(i - 1).is("ON");
      if (depth <= 0 && (conflict || token.is("RETURNING"))) {
        return i;
      }
    }
    return tokens.size();
  }

  /** The index after the last piece of the last row. */
  int rowsEnd(List<SqlToken> tokens) {
    return rows.isEmpty() ? tokens.size() : CallScan.closing(tokens, rows.getLast()) + 1;
  }
}
