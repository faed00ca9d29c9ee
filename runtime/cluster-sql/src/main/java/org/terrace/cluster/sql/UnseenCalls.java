package org.terrace.cluster.sql;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.terrace.cluster.sql.FunctionCatalog.Nature;

/**
 * The search of a statement for calls that look like none: of a function of a whole row, which
 * PostgreSQL looks for where a name stands behind the row's and a dot, and of a default that
 * counts.
 */
final class UnseenCalls {
  private final List<SqlToken> tokens;
  private final Engine engine;
  private final Set<String> declared;
  private final TableCatalog tables;

  UnseenCalls(List<SqlToken> tokens, Engine engine, Set<String> declared, TableCatalog tables) {
    this.tokens = tokens;
    this.engine = engine;
    this.declared = declared;
    this.tables = tables;
  }

  /** Refuses a function of the users' that is called like a column. */
  void checkRowFunction(int i) throws RefusedStatementException {
    String name = tokens.get(i).name();
    if (isRowNotation(i)
        && tables.functions().ofRows().contains(name)
        && !declared.contains(name)) {
      throw new RefusedStatementException(
          "%s behind a row's name may be the function %s of that row, which is not known"
              .formatted(tokens.get(i).text(), name),
          "add 'functions=%s' to the URL if its result depends on its arguments alone and it changes nothing"
              .formatted(name));
    }
  }

  /** Refuses a function of the system's that is called like a column, and depends on an order. */
  void checkOrder(int i) throws RefusedStatementException {
    String name = tokens.get(i).name();
    boolean ordered =
        isRowNotation(i)
            && FunctionCatalog.find(engine, name)
                .filter(known -> known.nature() == Nature.ORDER)
                .isPresent();
    if (ordered && !tables.hasColumn(name, _ -> true)) {
      throw new RefusedStatementException(
          "it calls %s by a row's name and a dot".formatted(name),
          "read first and write the result");
    }
  }

  private boolean isRowNotation(int i) {
    return engine == Engine.POSTGRESQL
        && i > 0
        && tokens.get(i - 1).isSymbol(".")
        && tokens.get(i).isName()
        && (i + 1 == tokens.size() || !tokens.get(i + 1).isSymbol("("));
  }

  /** Refuses a read that takes the next number of a sequence at one server alone. */
  void checkDefaultOf(int i) throws RefusedStatementException {
    Optional<String> column =
        engine == Engine.MARIADB ? DefaultPlaces.columnOf(tokens, i) : Optional.empty();
    if (column.isPresent() && tables.hasColumn(column.get(), UnseenCalls::mayCount)) {
      throw new RefusedStatementException(
          "the default of %s may be the next number of a sequence".formatted(column.get()),
          "ask for one number with SELECT NEXTVAL(name), without FROM");
    }
  }

  private static boolean mayCount(ColumnShape column) {
    return switch (column.filling()) {
      case NUMBERED -> !column.isCounted();
      case UNKNOWN -> true;
      case SAME, EVALUATED -> false;
    };
  }
}
