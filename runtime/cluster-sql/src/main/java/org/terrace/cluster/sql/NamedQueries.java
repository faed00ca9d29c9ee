package org.terrace.cluster.sql;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The queries that a statement names by WITH, so that their names stand for no table. Only a WITH
 * outside of all brackets counts, as one within them names queries for that part alone; and a name
 * that stands in the statement before its query is complete may be a view's. Stateless.
 */
final class NamedQueries {
  private NamedQueries() {}

  /** Those of the names that stand for tables; whoever locks a view locks none of its tables. */
  static Set<String> tablesAmong(Set<String> names, TableCatalog tables, List<SqlToken> tokens)
      throws RefusedStatementException {
    Set<String> known = new LinkedHashSet<>();
    Set<String> queries = of(tokens);
    for (String name : names) {
      if (tables.find(name).isPresent()) {
        known.add(name);
      } else if (!queries.contains(name)) {
        throw tables
            .refusal(name)
            .orElseGet(() ->
                new RefusedStatementException(
                    "it reads '%s', which is no table that is known".formatted(name),
                    "read from whole tables, not from views or partitions, or read first and write then"));
      }
    }
    return known;
  }

  /** The names that stand for nothing else, in lower case. */
  static Set<String> of(List<SqlToken> tokens) {
    int depth = 0;
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (token.isSymbol("(")) {
        depth++;
      } else if (token.isSymbol(")")) {
        depth--;
      } else if (depth == 0 && token.is("WITH")) {
        return after(tokens, i);
      }
    }
    return Set.of();
  }

  /** Every name that may stand for a query somewhere in a statement, in lower case. */
  static Set<String> anywhere(List<SqlToken> tokens) {
    Set<String> names = new HashSet<>();
    for (int i = 1; i < tokens.size(); i++) {
      int before = i - 1;
      boolean query =
          tokens.get(i).is("AS")
              && (isOpen(tokens, i + 1)
                  || is(tokens, i + 1, "NOT")
                  || is(tokens, i + 1, "MATERIALIZED"));
      if (query && tokens.get(before).isSymbol(")")) {
        before = InvolvedColumns.opening(tokens, before) - 1;
      }
      if (query && before >= 0 && tokens.get(before).isName()) {
        names.add(tokens.get(before).name());
      }
    }
    return names;
  }

  /** The number of places at which rows are grouped. */
  static long groupings(List<SqlToken> tokens) {
    long groupings = 0;
    for (int i = 0; i + 1 < tokens.size(); i++) {
      groupings += tokens.get(i).is("GROUP") && tokens.get(i + 1).is("BY") ? 1 : 0;
    }
    return groupings;
  }

  private static Set<String> after(List<SqlToken> tokens, int with) {
    Set<String> names = new HashSet<>();
    boolean recursive = is(tokens, with + 1, "RECURSIVE");
    int name = recursive ? with + 2 : with + 1;
    while (name < tokens.size() && tokens.get(name).isName()) {
      int close = end(tokens, name);
      if (close < 0) {
        return names;
      }
      if (recursive || isNew(tokens, with, name, close)) {
        names.add(tokens.get(name).name());
      }
      if (close + 1 >= tokens.size() || !tokens.get(close + 1).isSymbol(",")) {
        return names;
      }
      name = close + 2;
    }
    return names;
  }

  /** The bracket that ends the query of a name; negative: there is none. */
  private static int end(List<SqlToken> tokens, int name) {
    int at = name + 1;
    if (isOpen(tokens, at)) {
      at = CallScan.closing(tokens, at) + 1;
    }
    if (!is(tokens, at, "AS")) {
      return -1;
    }
    at++;
    if (is(tokens, at, "NOT")) {
      at++;
    }
    if (is(tokens, at, "MATERIALIZED")) {
      at++;
    }
    return isOpen(tokens, at) ? CallScan.closing(tokens, at) : -1;
  }

  private static boolean isNew(List<SqlToken> tokens, int from, int name, int to) {
    for (int i = from + 1; i < to; i++) {
      SqlToken token = tokens.get(i);
      if (i != name && token.isName() && token.name().equals(tokens.get(name).name())) {
        return false;
      }
    }
    return true;
  }

  private static boolean is(List<SqlToken> tokens, int i, String keyword) {
    return i < tokens.size() && tokens.get(i).is(keyword);
  }

  private static boolean isOpen(List<SqlToken> tokens, int i) {
    return i < tokens.size() && tokens.get(i).isSymbol("(");
  }
}
