package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.ColumnShape.Filling;

/**
 * The columns that an INSERT leaves to the server: those that would be filled otherwise at each
 * replica are listed and given parameters.
 */
final class InsertFiller {
  private static final String OVERRIDING = " OVERRIDING SYSTEM VALUE";

  private final List<SqlToken> tokens;
  private final Engine engine;
  private final InsertShape insert;
  private final TableShape table;
  private final SqlEdits edits;
  private final MomentClock clock;
  private final Set<Integer> settled = new HashSet<>();
  private int counted;
  private boolean replacedAlways;

  InsertFiller(
      List<SqlToken> tokens,
      Engine engine,
      InsertShape insert,
      TableShape table,
      SqlEdits edits,
      MomentClock clock) {
    this.tokens = tokens;
    this.engine = engine;
    this.insert = insert;
    this.table = table;
    this.edits = edits;
    this.clock = clock;
  }

  void fill() throws RefusedStatementException {
    boolean noList = insert.columnsOpen() < 0;
    List<String> listed = noList ? implied() : insert.columns();
    List<ColumnShape> missing = new ArrayList<>();
    for (ColumnShape column : table.columns()) {
      if (!listed.contains(column.name()) && differs(column)) {
        missing.add(checked(column));
      }
    }
    replaceDefaults(listed);
    if (engine == Engine.MARIADB && tokens.stream().noneMatch(token -> token.is("SELECT"))) {
      replaceDefaultsOfColumns();
    }
    checkOverriding(missing);
    if (missing.isEmpty()) {
      return;
    }
    if (insert.isAllDefault(tokens)) {
      fillWhole(missing);
      return;
    }
    if (!insert.hasRows()) {
      throw new RefusedStatementException(
          "each replica would fill the column %s otherwise".formatted(missing.getFirst().name()),
          "read the rows first and insert them with VALUES, or list that column and give its values");
    }
    String names = String.join(", ", missing.stream().map(column -> quote(column.name())).toList());
    String separator = listed.isEmpty() ? "" : ", ";
    if (noList) {
      List<String> quoted = listed.stream().map(this::quote).toList();
      int at = tokens.get(insert.nameEnd()).end();
      edits.replace(at, at, " (" + String.join(", ", quoted) + separator + names + ")");
    } else {
      int at = tokens.get(CallScan.closing(tokens, insert.columnsOpen())).start();
      edits.replace(at, at, separator + names);
    }
    for (int row : insert.rows()) {
      int at = tokens.get(CallScan.closing(tokens, row)).start();
      String before = separator;
      for (ColumnShape column : missing) {
        put(at, at, before, column);
        before = ", ";
      }
    }
  }

  /** The pieces DEFAULT that are the same at every replica now. */
  Set<Integer> settled() {
    return settled;
  }

  /** Whether every row gets its number of the table's own counter from the cluster. */
  boolean isNumbered() {
    return counted > 0 && counted == Math.max(1, insert.rows().size());
  }

  /** The columns that a row without a list of them gives. */
  private List<String> implied() {
    if (!insert.hasRows()) {
      return List.of();
    }
    int width = values(insert.rows().getFirst()).size();
    return table.columns().stream().limit(width).map(ColumnShape::name).toList();
  }

  /** A row of defaults alone becomes a row of those that the cluster fills. */
  private void fillWhole(List<ColumnShape> missing) throws RefusedStatementException {
    String names = String.join(", ", missing.stream().map(column -> quote(column.name())).toList());
    int start = tokens.get(insert.source()).start();
    int end = tokens.get(insert.source() + 1).end();
    boolean always = missing.stream().anyMatch(ColumnShape::always);
    edits.replace(start, end, "(" + names + ")" + (always ? OVERRIDING : "") + " VALUES (");
    String before = "";
    for (ColumnShape column : missing) {
      put(end, end, before, column);
      before = ", ";
    }
    edits.replace(end, end, ")");
  }

  /** A server that numbers a column always takes the cluster's number if it is told to. */
  private void checkOverriding(List<ColumnShape> missing) throws RefusedStatementException {
    boolean overriding = insert.overriding() >= 0;
    if (overriding && tokens.get(insert.overriding()).is("USER")) {
      throw new RefusedStatementException(
          "with OVERRIDING USER VALUE each replica would number the rows by itself",
          "leave the column out");
    }
    boolean needed = replacedAlways || missing.stream().anyMatch(ColumnShape::always);
    if (needed && !overriding && insert.hasRows()) {
      int at = tokens.get(insert.sourceOpen()).start();
      edits.replace(at, at, OVERRIDING.strip() + " ");
    }
  }

  private void put(int start, int end, String before, ColumnShape column)
      throws RefusedStatementException {
    boolean numbered = column.filling() == Filling.NUMBERED;
    String expression = numbered ? null : column.expression();
    String parameter = before + CallScan.parameterOf(engine, column.type());
    count(column);
    String shown = expression == null ? null : shown(expression);
    if (shown != null) {
      edits.replace(start, end, before + shown);
    } else if (expression != null && DefaultScan.isAnew(expression, engine)) {
      edits.evaluateAnew(start, end, parameter, expression);
    } else {
      edits.evaluate(start, end, parameter, expression, numbered ? column.sequence() : null);
    }
  }

  /** A default whose SYSDATE becomes the moment that all clocks show; null: it has none. */
  private @Nullable String shown(String expression) throws RefusedStatementException {
    String shown = engine == Engine.MARIADB ? MomentClock.shown(expression) : expression;
    boolean whole = !shown.equals(expression) && !DefaultScan.isAnew(shown, engine);
    return whole && clock.shows() ? shown : null;
  }

  private void count(ColumnShape column) {
    counted += column.isCounted() ? 1 : 0;
  }

  /**
   * Replaces each DEFAULT of a row, which is the same as leaving the column out, and settles those
   * that are the same everywhere.
   */
  private void replaceDefaults(List<String> listed) throws RefusedStatementException {
    for (int row : insert.rows()) {
      List<int[]> values = values(row);
      for (int i = 0; i < values.size() && i < listed.size(); i++) {
        ColumnShape column = table.column(listed.get(i)).orElse(null);
        if (column != null) {
          replaceDefault(values.get(i), column);
        }
      }
    }
  }

  private void replaceDefault(int[] range, ColumnShape column) throws RefusedStatementException {
    RowValue value = RowValue.of(tokens.subList(range[0], range[1]), engine);
    int place = range[0] + value.from();
    boolean counts = column.isCounted();
    boolean own = counts && value.isDefaultOf(column.name());
    if (value.isDefault() || own || (counts && value.isNone())) {
      settled.add(place);
      if (differs(column)) {
        replacedAlways |= column.always();
        put(tokens.get(range[0]).start(), tokens.get(range[1] - 1).end(), "", checked(column));
      }
    } else if (counts && value.isParameter()) {
      counted++;
      edits.number(tokens.get(place), Objects.requireNonNull(column.sequence()));
    } else if (counts && !value.isNumber()) {
      throw new RefusedStatementException(
          "a replica that takes the value of %s for zero would number the row by itself"
              .formatted(column.name()),
          "give the number itself or as a parameter, or leave the column out");
    }
  }

  /** Replaces each DEFAULT(column) within the rows, whose columns can be this table's alone. */
  private void replaceDefaultsOfColumns() throws RefusedStatementException {
    for (int row : insert.rows()) {
      int close = CallScan.closing(tokens, row);
      for (int i = row; i < close; i++) {
        ColumnShape column = settled.contains(i) ? null : defaultOf(i);
        if (column != null && !column.isCounted()) {
          settled.add(i);
          if (differs(column)) {
            int end = tokens.get(CallScan.closing(tokens, i + 1)).end();
            put(tokens.get(i).start(), end, "", checked(column));
          }
        }
      }
    }
  }

  private @Nullable ColumnShape defaultOf(int i) {
    return DefaultPlaces.columnOf(tokens, i).flatMap(table::column).orElse(null);
  }

  /** Whether each server would fill a column otherwise, also if their clocks show one moment. */
  private boolean differs(ColumnShape column) throws RefusedStatementException {
    String expression = column.filling() == Filling.EVALUATED ? column.expression() : null;
    boolean moment = expression != null && !DefaultScan.isAnew(expression, engine);
    return column.filling() != Filling.SAME && !(moment && clock.shows());
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
        if (i > from) {
          ranges.add(new int[] {from, i});
        }
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
