package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of an INSERT or REPLACE by the indices of their pieces.
 *
 * @param nameEnd the last piece of the table's name
 * @param columns the listed columns; empty with {@code columnsOpen} negative: there is no list
 * @param columnsOpen the parenthesis that opens the list of columns, or -1
 * @param source the piece VALUES, SELECT, SET or DEFAULT with which the rows begin, or -1
 * @param rows the parentheses that open the rows of VALUES
 */
record InsertShape(
    String table,
    int nameEnd,
    List<String> columns,
    int columnsOpen,
    int source,
    List<Integer> rows) {

  static InsertShape of(List<SqlToken> tokens) throws RefusedStatementException {
    int into = index(tokens, "INTO", 1);
    int name = into < 0 ? 1 : into + 1;
    if (name >= tokens.size() || !tokens.get(name).isName()) {
      throw new RefusedStatementException("its table cannot be found", "write INSERT INTO table");
    }
    while (name + 2 < tokens.size() && tokens.get(name + 1).isSymbol(".")) {
      name += 2;
    }
    int next = name + 1;
    if (next < tokens.size() && tokens.get(next).is("AS")) {
      next += 2;
    }
    List<String> columns = new ArrayList<>();
    int columnsOpen = -1;
    if (next < tokens.size() && tokens.get(next).isSymbol("(") && !startsQuery(tokens, next)) {
      columnsOpen = next;
      int close = CallScan.closing(tokens, next);
      for (int i = next + 1; i < close; i++) {
        if (tokens.get(i).isName()) {
          columns.add(tokens.get(i).name());
        }
      }
      next = close + 1;
    }
    int source = -1;
    for (int i = next; i < tokens.size() && source < 0; i++) {
      SqlToken token = tokens.get(i);
      if (token.is("VALUES")
          || token.is("VALUE")
          || token.is("SELECT")
          || token.is("SET")
          || token.is("DEFAULT")
          || token.is("WITH")
          || token.is("TABLE")) {
        source = i;
      }
    }
    return new InsertShape(
        tokens.get(name).name(), name, columns, columnsOpen, source, rows(tokens, source));
  }

  private static boolean startsQuery(List<SqlToken> tokens, int open) {
    return open + 1 < tokens.size()
        && (tokens.get(open + 1).is("SELECT") || tokens.get(open + 1).is("WITH"));
  }

  private static List<Integer> rows(List<SqlToken> tokens, int source) {
    List<Integer> rows = new ArrayList<>();
    if (source < 0 || !(tokens.get(source).is("VALUES") || tokens.get(source).is("VALUE"))) {
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
    return rows;
  }

  boolean hasRows() {
    return !rows.isEmpty();
  }

  /** Whether it is one row of defaults, without a list of anything. */
  boolean isAllDefault(List<SqlToken> tokens) {
    return source >= 0
        && tokens.get(source).is("DEFAULT")
        && source + 1 < tokens.size()
        && tokens.get(source + 1).is("VALUES");
  }

  /**
   * The statement for a parser that knows no empty lists and takes long for each row: without an
   * empty list of columns, with NULL in each empty row, and after the first row only with those
   * that name something, which alone can hold tables.
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
      if (i > 0 && namesNothing(tokens.subList(open, close))) {
        text.append(sql, from, tokens.get(open - 1).start());
        from = tokens.get(close).end();
      } else if (isEmpty(tokens, open)) {
        text.append(sql, from, tokens.get(open).end()).append("NULL");
        from = tokens.get(open).end();
      }
    }
    return text.append(sql, from, sql.length()).toString();
  }

  private static boolean namesNothing(List<SqlToken> row) {
    return row.stream().noneMatch(token -> token.isName() && !token.is("NULL"));
  }

  private static boolean isEmpty(List<SqlToken> tokens, int open) {
    return open + 1 < tokens.size() && tokens.get(open + 1).isSymbol(")");
  }

  /** The index after the last piece of the last row. */
  int rowsEnd(List<SqlToken> tokens) {
    return rows.isEmpty() ? tokens.size() : CallScan.closing(tokens, rows.getLast()) + 1;
  }

  private static int index(List<SqlToken> tokens, String keyword, int from) {
    for (int i = from; i < tokens.size() && i < from + 4; i++) {
      if (tokens.get(i).is(keyword)) {
        return i;
      }
    }
    return -1;
  }
}
