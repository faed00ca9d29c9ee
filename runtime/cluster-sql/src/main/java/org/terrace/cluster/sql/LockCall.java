package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.terrace.cluster.sql.FunctionCatalog.Nature;

/**
 * The one call of a statement that takes, releases or looks at a lock with a name.
 *
 * @param function in lower case
 * @param arguments the query for the arguments as texts, with the statement's own parameters;
 *     empty: there are none
 * @param result the statement that gives the client what the cluster puts in for its parameter
 */
public record LockCall(String function, String arguments, String result) {

  /** The call of a statement that is nothing more than a call, if it is one. */
  static Optional<LockCall> of(
      String sql, List<SqlToken> tokens, Engine engine, Set<String> declared, TableCatalog tables)
      throws RefusedStatementException {
    boolean query = tokens.getFirst().is("SELECT");
    boolean isCall =
        (query || tokens.getFirst().is("DO"))
            && tokens.size() > 3
            && tokens.get(1).isName()
            && tokens.get(2).isSymbol("(")
            && FunctionCatalog.find(engine, tokens.get(1).name())
                .map(known -> known.nature() == Nature.NAMED_LOCK)
                .orElse(false);
    if (!isCall) {
      return Optional.empty();
    }
    int close = CallScan.closing(tokens, 2);
    boolean named = close == tokens.size() - 3 && tokens.get(close + 1).is("AS");
    if (close != tokens.size() - 1 && !named) {
      return Optional.empty();
    }
    String function = tokens.get(1).name();
    String value = CallScan.parameterOf(engine, typeOf(function, engine));
    String name = named ? tokens.getLast().text() : function;
    return Optional.of(
        new LockCall(
            function,
            arguments(sql, tokens.subList(3, close), engine, declared, tables),
            query ? "SELECT " + value + " AS " + name : "DO " + value));
  }

  private static String typeOf(String function, Engine engine) {
    if (engine == Engine.MARIADB) {
      return "SIGNED";
    }
    return function.startsWith("pg_try") || function.matches("pg_advisory_unlock(_shared)?")
        ? "boolean"
        : "text";
  }

  private static String arguments(
      String sql, List<SqlToken> inside, Engine engine, Set<String> declared, TableCatalog tables)
      throws RefusedStatementException {
    SqlEdits edits = new SqlEdits();
    new CallScan(sql, inside, engine, declared, tables).checkRead(edits);
    if (!edits.isEmpty()) {
      throw new RefusedStatementException(
          "the name of its lock depends on a sequence", "read the number first");
    }
    List<String> casts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= inside.size(); i++) {
      boolean ends = i == inside.size() || (depth == 0 && inside.get(i).isSymbol(","));
      if (ends && i > from) {
        String text = sql.substring(inside.get(from).start(), inside.get(i - 1).end());
        casts.add("CAST(" + text + " AS " + (engine == Engine.MARIADB ? "CHAR" : "text") + ")");
        from = i + 1;
      } else if (!ends && inside.get(i).isSymbol("(")) {
        depth++;
      } else if (!ends && inside.get(i).isSymbol(")")) {
        depth--;
      }
    }
    return casts.isEmpty() ? "" : "SELECT " + String.join(", ", casts);
  }
}
