package org.terrace.cluster.sql;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.terrace.cluster.sql.FunctionCatalog.Known;
import org.terrace.cluster.sql.FunctionCatalog.Nature;

/**
 * The actions of an ALTER, of which one that adds or changes a column gives each row that is there
 * already a value.
 */
final class AlteredTable {
  private static final Set<String> ACTIONS =
      Set.of("add", "alter", "drop", "modify", "change", "rename", "set", "reset", "owner");
  private static final Set<String> NUMBERS =
      Set.of(
          "serial",
          "serial2",
          "serial4",
          "serial8",
          "smallserial",
          "bigserial",
          "identity",
          "auto_increment");
  private static final Set<String> BEFORE_NAME = Set.of("add", "column", "exists");

  private final List<SqlToken> tokens;
  private final CallScan calls;

  /** The index of the word TABLE, which ONLINE may stand before; 0: it alters something else. */
  private final int word;

  AlteredTable(List<SqlToken> tokens, CallScan calls) {
    this.tokens = tokens;
    this.word =
        IntStream.range(1, Math.min(4, tokens.size()))
            .filter(i -> tokens.get(i).is("TABLE"))
            .findFirst()
            .orElse(0);
    this.calls = calls;
  }

  void check(TableCatalog tables) throws RefusedStatementException {
    checkKept();
    boolean table = word > 0;
    boolean fills = !table || tokens.stream().anyMatch(token -> token.is("ADD"));
    int from = 1;
    while (from < tokens.size()) {
      int end = end(from);
      int action = from == 1 ? firstAction(end) : from;
      checkAction(action, end, fills);
      if (table && action < end) {
        checkNumbers(action, end, tables);
      }
      from = end + 1;
    }
  }

  /** Refuses to leave it to each server which rows stay. */
  private void checkKept() throws RefusedStatementException {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.get(i).is("UNLOGGED") && tokens.get(i - 1).is("SET")) {
        throw new RefusedStatementException(
            "a server that crashes loses the rows of an UNLOGGED table", "leave it LOGGED");
      }
      if (tokens.get(i - 1).is("IGNORE") && tokens.get(i).is("TABLE")) {
        throw new RefusedStatementException(
            "which of several rows IGNORE leaves is up to each replica",
            "delete the others first, and leave IGNORE out");
      }
    }
  }

  /** The index of the comma that ends an action, or of the statement's end. */
  private int end(int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      depth += token.isSymbol("(") || token.isSymbol("[") ? 1 : 0;
      depth -= token.isSymbol(")") || token.isSymbol("]") ? 1 : 0;
      if (depth == 0 && token.isSymbol(",")) {
        return i;
      }
    }
    return tokens.size();
  }

  private int firstAction(int end) {
    int at = Math.max(1, word) + 1;
    while (at < end
        && !(tokens.get(at).kind() == SqlToken.Kind.WORD
            && ACTIONS.contains(tokens.get(at).name()))) {
      at++;
    }
    return at;
  }

  /**
   * Refuses an action that gives values which may differ.
   *
   * @param fills whether a default may do so that is set for a column which is there
   */
  private void checkAction(int from, int end, boolean fills) throws RefusedStatementException {
    boolean values = false;
    for (int i = from; i < end; i++) {
      SqlToken token = tokens.get(i);
      if (token.is("DEFAULT") && tokens.get(i - 1).is("SET") && !fills) {
        return;
      }
      values |= token.is("DEFAULT") || token.is("USING");
      boolean type = token.is("VARYING") || tokens.get(i - 1).is("REFERENCES");
      Optional<Known> call = values && !type ? calls.callAt(i, "definition") : calls.callAt(i);
      boolean differs = call.isPresent() && call.get().nature() != Nature.PURE;
      if (differs || isNextValue(tokens, i) || (values && DefaultScan.isNumbered(tokens, i))) {
        throw fillsWith(token.text());
      }
    }
  }

  /** Refuses to let each replica number the rows that are there. */
  private void checkNumbers(int from, int end, TableCatalog tables)
      throws RefusedStatementException {
    SqlToken action = tokens.get(from);
    boolean adds = action.is("ADD");
    boolean changes = action.is("MODIFY") || action.is("CHANGE");
    if (!adds && !changes) {
      return;
    }
    if (changes) {
      checkClock(from + 1, end, tables);
    }
    for (int i = from + 1; i < end; i++) {
      boolean name = BEFORE_NAME.contains(tokens.get(i - 1).text().toLowerCase(Locale.ROOT));
      if (!name && numbersRows(tokens.get(i)) && (adds || !isKey(from + 1, tables))) {
        throw numbers();
      }
    }
  }

  /** Refuses to let each server of MariaDB date the rows that are there. */
  private void checkClock(int from, int end, TableCatalog tables) throws RefusedStatementException {
    Optional<ColumnShape> column =
        tables.find(table()).flatMap(table -> table.column(tokens.get(column(from)).name()));
    boolean dated = false;
    boolean stamps = false;
    boolean needed = false;
    for (int i = column(from) + 1; i < end; i++) {
      stamps |= tokens.get(i).is("TIMESTAMP");
      dated |=
          tokens.get(i).is("TIMESTAMP") || tokens.get(i).is("DATETIME") || tokens.get(i).is("DATE");
      needed |= tokens.get(i).is("NULL") && tokens.get(i - 1).is("NOT");
      needed |= tokens.get(i).is("PRIMARY");
    }
    boolean isTime = column.filter(known -> known.type().matches("(?i)time\\b.*")).isPresent();
    boolean isDated = column.filter(ColumnShape::dated).isPresent();
    if ((stamps && needed && !isDated) || (dated && isTime)) {
      throw new RefusedStatementException(
          "each replica would take what its rows lack from its clock",
          "add another column with a constant default, write the values into it, and drop this one");
    }
  }

  /** Whether a column is a table's whole key, so that no two of its rows can lack a number. */
  private boolean isKey(int from, TableCatalog tables) {
    List<String> key = List.of(tokens.get(column(from)).name());
    return tables.find(table()).map(shape -> shape.key().equals(key)).orElse(false);
  }

  /** The index of the column's name in an action. */
  private int column(int from) {
    int column = from;
    if (tokens.get(column).is("COLUMN")) {
      column++;
    }
    return tokens.get(column).is("IF") ? column + 2 : column;
  }

  /** The table's name, in lower case. */
  private String table() {
    int table = word + 1;
    if (tokens.get(table).is("IF")) {
      table += 2;
    }
    while (table + 2 < tokens.size() && tokens.get(table + 1).isSymbol(".")) {
      table += 2;
    }
    return tokens.get(table).name();
  }

  /** Whether a word makes a server number rows. */
  static boolean numbersRows(SqlToken token) {
    return token.kind() == SqlToken.Kind.WORD && NUMBERS.contains(token.name());
  }

  /** Whether NEXT VALUE FOR, which looks like no call, stands at a piece. */
  static boolean isNextValue(List<SqlToken> tokens, int i) {
    return tokens.get(i).is("FOR") && i > 0 && tokens.get(i - 1).is("VALUE");
  }

  static RefusedStatementException fillsWith(String what) {
    return new RefusedStatementException(
        "it fills rows with %s, and each replica would get other values".formatted(what),
        "make the table or column without it, then write the values, then set the default");
  }

  static RefusedStatementException numbers() {
    return new RefusedStatementException(
        "it numbers rows in the order in which a replica finds them",
        "make the table or column without numbers, write them, then let the server go on");
  }
}
