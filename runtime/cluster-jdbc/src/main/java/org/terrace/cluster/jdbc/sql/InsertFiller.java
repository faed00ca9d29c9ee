package org.terrace.cluster.jdbc.sql;

import java.util.ArrayList;
import java.util.List;
import org.terrace.cluster.jdbc.settings.Engine;
import org.terrace.cluster.jdbc.sql.ColumnShape.Filling;

/**
 * The columns that an INSERT leaves to the server: those that would be filled otherwise at each
 * replica are listed and given parameters.
 */
final class InsertFiller {
  private final List<SqlToken> tokens;
  private final Engine engine;
  private final InsertShape insert;
  private final TableShape table;
  private final SqlEdits edits;

  InsertFiller(
      List<SqlToken> tokens, Engine engine, InsertShape insert, TableShape table, SqlEdits edits) {
    this.tokens = tokens;
    this.engine = engine;
    this.insert = insert;
    this.table = table;
    this.edits = edits;
  }

  void fill() throws RefusedStatementException {
    List<String> listed = insert.columns();
    boolean noList = insert.columnsOpen() < 0;
    if (noList && insert.hasRows()) {
      int width = values(insert.rows().getFirst()).size();
      listed = table.columns().stream().limit(width).map(ColumnShape::name).toList();
    }
    List<ColumnShape> missing = new ArrayList<>();
    for (ColumnShape column : table.columns()) {
      if (column.filling() != Filling.SAME && !listed.contains(column.name())) {
        missing.add(checked(column));
      }
    }
    replaceDefaults(listed);
    if (missing.isEmpty()) {
      return;
    }
    if (!insert.hasRows()) {
      throw new RefusedStatementException(
          "each replica would fill the column %s otherwise".formatted(missing.getFirst().name()),
          "list that column, and give its values");
    }
    StringBuilder names = new StringBuilder();
    missing.forEach(column -> names.append(", ").append(quote(column.name())));
    if (noList) {
      List<String> quoted = listed.stream().map(this::quote).toList();
      int at = tokens.get(insert.nameEnd()).end();
      edits.replace(at, at, " (" + String.join(", ", quoted) + names + ")");
    } else {
      int at = tokens.get(CallScan.closing(tokens, insert.columnsOpen())).start();
      edits.replace(at, at, names.toString());
    }
    for (int row : insert.rows()) {
      int at = tokens.get(CallScan.closing(tokens, row)).start();
      for (ColumnShape column : missing) {
        put(at, at, ", ", column);
      }
    }
  }

  private void put(int start, int end, String before, ColumnShape column) {
    boolean numbered = column.filling() == Filling.NUMBERED;
    edits.evaluate(
        start,
        end,
        before + CallScan.parameterOf(engine, column.type()),
        numbered ? null : column.expression(),
        numbered ? column.sequence() : null);
  }

  /** Where a row says DEFAULT, it is the same as leaving the column out. */
  private void replaceDefaults(List<String> listed) throws RefusedStatementException {
    for (int row : insert.rows()) {
      List<int[]> values = values(row);
      for (int i = 0; i < values.size() && i < listed.size(); i++) {
        int[] range = values.get(i);
        SqlToken first = tokens.get(range[0]);
        boolean isDefault = range[1] == range[0] + 1 && first.is("DEFAULT");
        ColumnShape column = table.column(listed.get(i)).orElse(null);
        boolean isNumber =
            engine == Engine.MARIADB
                && column != null
                && column.filling() == Filling.NUMBERED
                && range[1] == range[0] + 1
                && (first.is("NULL") || first.text().equals("0"));
        if (column != null && column.filling() != Filling.SAME && (isDefault || isNumber)) {
          put(first.start(), first.end(), "", checked(column));
        }
      }
    }
  }

  private ColumnShape checked(ColumnShape column) throws RefusedStatementException {
    if (column.filling() == Filling.UNKNOWN) {
      throw new RefusedStatementException(
          "the default of the column %s cannot be told to be the same everywhere"
              .formatted(column.name()),
          "give the column's value");
    }
    return column;
  }

  /** The ranges of pieces of a row's values. */
  private List<int[]> values(int open) {
    List<int[]> ranges = new ArrayList<>();
    int close = CallScan.closing(tokens, open);
    int from = open + 1;
    int depth = 0;
    for (int i = open + 1; i <= close; i++) {
      SqlToken token = tokens.get(i);
      if (token.isSymbol("(") || token.isSymbol("[")) {
        depth++;
      } else if (i == close || (depth == 0 && token.isSymbol(","))) {
        ranges.add(new int[] {from, i});
        from = i + 1;
      } else if (token.isSymbol(")") || token.isSymbol("]")) {
        depth--;
      }
    }
    return ranges;
  }

  private String quote(String name) {
    return engine == Engine.MARIADB ? "`" + name + "`" : "\"" + name + "\"";
  }
}
