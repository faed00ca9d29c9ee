package org.terrace.cluster.sql;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.terrace.cluster.sql.ColumnShape.Filling;

/**
 * The places of a write, other than the rows that an {@link InsertFiller} fills, that leave a value
 * to a column's default. A default that each replica would find for itself is refused there, and so
 * is one whose column is not seen.
 */
final class DefaultPlaces {
  private final List<SqlToken> tokens;
  private final Engine engine;
  private final TableShape table;
  private final boolean alone;

  /**
   * The places of a statement.
   *
   * @param table the table that is written
   * @param alone whether its columns are the only ones that the statement can name
   */
  DefaultPlaces(List<SqlToken> tokens, Engine engine, TableShape table, boolean alone) {
    this.tokens = tokens;
    this.engine = engine;
    this.table = table;
    this.alone = alone;
  }

  /**
   * Refuses each default that may differ.
   *
   * @param settled the pieces DEFAULT that are the same already
   */
  void check(Set<Integer> settled) throws RefusedStatementException {
    for (int i = 2; i < tokens.size(); i++) {
      boolean names = tokens.get(i - 1).isSymbol(".") || tokens.get(i - 1).is("AS");
      if (!tokens.get(i).is("DEFAULT") || names || settled.contains(i)) {
        continue;
      }
      Optional<String> column =
          isSymbol(i + 1, "(") && engine == Engine.MARIADB ? columnOf(tokens, i) : assigned(i);
      boolean seen = alone || !isSymbol(i + 1, "(");
      if (!seen || column.filter(this::isSame).isEmpty()) {
        throw new RefusedStatementException(
            "each replica would find the default of %s for itself"
                .formatted(column.orElse("a column")),
            "write the value, or what the default calls");
      }
    }
  }

  private boolean isSame(String name) {
    return table.column(name).map(column -> column.filling() == Filling.SAME).orElse(false);
  }

  /** The column in MariaDB's DEFAULT(column) at a piece, in lower case; empty: it is none. */
  static Optional<String> columnOf(List<SqlToken> tokens, int i) {
    if (!tokens.get(i).is("DEFAULT")
        || i + 3 >= tokens.size()
        || !tokens.get(i + 1).isSymbol("(")) {
      return Optional.empty();
    }
    SqlToken last = tokens.get(CallScan.closing(tokens, i + 1) - 1);
    return last.isName() ? Optional.of(last.name()) : Optional.empty();
  }

  /** The column to which a value is assigned, alone or in a list; empty: it is not seen. */
  private Optional<String> assigned(int value) {
    int from = value;
    int to = value;
    while (true) {
      if (isSymbol(from - 1, "=")) {
        return nameAt(from - 2);
      }
      int open = opening(from - 1);
      if (open < 1) {
        return Optional.empty();
      }
      int equals = tokens.get(open - 1).is("ROW") ? open - 2 : open - 1;
      if (isSymbol(equals, "=") && isSymbol(equals - 1, ")")) {
        return listed(equals - 1, position(open, from));
      }
      if (open + 1 != from || !isSymbol(to + 1, ")")) {
        return Optional.empty();
      }
      from = open;
      to++;
    }
  }

  /** The number of values before one in a list. */
  private int position(int open, int value) {
    int depth = 0;
    int before = 0;
    for (int i = open + 1; i < value; i++) {
      SqlToken token = tokens.get(i);
      depth += token.isSymbol("(") || token.isSymbol("[") ? 1 : 0;
      depth -= token.isSymbol(")") || token.isSymbol("]") ? 1 : 0;
      before += depth == 0 && token.isSymbol(",") ? 1 : 0;
    }
    return before;
  }

  /** The name at a place of a list of plain names; empty: it is no such list. */
  private Optional<String> listed(int close, int position) {
    int open = opening(close - 1);
    int name = open + 1 + 2 * position;
    if (open < 0 || name >= close) {
      return Optional.empty();
    }
    for (int i = open + 1; i < close; i++) {
      boolean isPlain = (i - open) % 2 == 1 ? tokens.get(i).isName() : isSymbol(i, ",");
      if (!isPlain) {
        return Optional.empty();
      }
    }
    return nameAt(name);
  }

  private Optional<String> nameAt(int i) {
    return i >= 0 && tokens.get(i).isName() ? Optional.of(tokens.get(i).name()) : Optional.empty();
  }

  /** The parenthesis that is open at a piece; negative: none is. */
  private int opening(int from) {
    int depth = 0;
    for (int i = from; i >= 0; i--) {
      if (isSymbol(i, ")")) {
        depth++;
      } else if (isSymbol(i, "(") && depth-- == 0) {
        return i;
      }
    }
    return -1;
  }

  private boolean isSymbol(int i, String symbol) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
  }
}
