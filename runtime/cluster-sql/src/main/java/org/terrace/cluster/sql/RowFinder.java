package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The finder of the one row that a statement touches, by a primary key of integers. It knows a few
 * plain forms and takes everything else for a statement on the whole table, so that what it does
 * not understand is never locked too little. Confined to one thread; linear in the statement.
 *
 * <p>Rows are told apart only where equal keys are the only way for two rows to exclude each other:
 * a table with another unique constraint or with foreign keys has none. Keys of text have none
 * either, as a collation may take two texts for equal.
 */
final class RowFinder {
  private static final List<String> COMPARISONS = List.of("=", "<", ">", "<>", "<=", ">=", "!=");

  /** Words after which a statement does no more than order, lock or return what it has found. */
  private static final List<String> ENDINGS = List.of("FOR", "LOCK", "RETURNING", "ORDER", "LIMIT");

  /** Words that bring rows of somewhere else into a statement. */
  private static final List<String> OTHER_ROWS =
      List.of("SELECT", "WITH", "JOIN", "USING", "UNION", "TABLE", "CURRENT", "PARTITION");

  private final List<SqlToken> tokens;
  private final TableShape table;

  private RowFinder(List<SqlToken> tokens, TableShape table) {
    this.tokens = tokens;
    this.table = table;
  }

  /** The row that a locking SELECT chooses; null: it tells none, or reads several tables. */
  static @Nullable RowChoice locked(List<SqlToken> tokens, Set<String> read, TableCatalog tables) {
    if (read.size() != 1) {
      return null;
    }
    Optional<TableShape> table = tables.find(read.iterator().next());
    return table.isPresent() ? written(tokens, null, table.get()) : null;
  }

  /**
   * The row that a write touches; null: it tells none, or brings several.
   *
   * @param insert the parts of an INSERT or REPLACE; null: it is none
   */
  static @Nullable RowChoice written(
      List<SqlToken> tokens, @Nullable InsertShape insert, TableShape table) {
    if (!tellsRowsApart(table)) {
      return null;
    }
    RowFinder finder = new RowFinder(tokens, table);
    return insert == null ? finder.chosen() : finder.inserted(insert);
  }

  private static boolean tellsRowsApart(TableShape table) {
    return !table.key().isEmpty()
        && !table.otherUnique()
        && table.effects() == TableShape.Effects.NONE
        && table.related().isEmpty()
        && table.columns().stream().map(ColumnShape::name).distinct().count()
            == table.columns().size()
        && table.key().stream()
            .allMatch(name -> table.column(name).flatMap(RowFinder::greatest).isPresent());
  }

  /** The greatest key of a column for which a server does not put another in; empty: no integer. */
  private static Optional<Long> greatest(ColumnShape column) {
    String type = column.type().toLowerCase(Locale.ROOT);
    int end = 0;
    while (end < type.length() && Character.isLetterOrDigit(type.charAt(end))) {
      end++;
    }
    return switch (type.substring(0, end)) {
      case "tinyint" -> Optional.of((long) Byte.MAX_VALUE);
      case "smallint" -> Optional.of((long) Short.MAX_VALUE);
      case "mediumint" -> Optional.of((1L << 23) - 1);
      case "int", "integer" -> Optional.of((long) Integer.MAX_VALUE);
      case "bigint" -> Optional.of(Long.MAX_VALUE);
      default -> Optional.empty();
    };
  }

  private @Nullable RowChoice chosen() {
    int from = afterTable();
    int where = where(from);
    if (from < 0 || where < 0 || hasOtherRows(1) || setsKey(from, where)) {
      return null;
    }
    Map<String, RowChoice.Part> found = new HashMap<>();
    int at = where;
    do {
      at = term(at + 1, found);
    } while (at > 0 && at < tokens.size() && tokens.get(at).is("AND"));
    if (at < 0 || (at < tokens.size() && !isAnyOf(tokens.get(at), ENDINGS))) {
      return null;
    }
    return choice(found);
  }

  /** The index after the only table's name and its alias; negative: it cannot be told. */
  private int afterTable() {
    int name = 1;
    if (tokens.getFirst().is("DELETE")) {
      name = 2;
    } else if (tokens.getFirst().is("SELECT")) {
      name = 1;
      while (name < tokens.size() && !tokens.get(name).is("FROM")) {
        name++;
      }
      name++;
    } else if (!tokens.getFirst().is("UPDATE")) {
      return -1;
    }
    while (name + 2 < tokens.size() && tokens.get(name + 1).isSymbol(".")) {
      name += 2;
    }
    if (name >= tokens.size()
        || !tokens.get(name).isName()
        || !tokens.get(name).name().equals(table.name())) {
      return -1;
    }
    int next = name + 1;
    if (isAt(next, "AS")) {
      next++;
    }
    boolean alias = next < tokens.size() && tokens.get(next).isName() && !isAt(next, "WHERE");
    return alias && !isAt(next, "SET") ? next + 1 : next;
  }

  /** The only WHERE, after nothing but assignments; negative: there is none like that. */
  private int where(int from) {
    int where = -1;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).is("WHERE")) {
        if (where >= 0) {
          return -1;
        }
        where = i;
      }
    }
    boolean update = tokens.getFirst().is("UPDATE");
    boolean assigns = from > 0 && isAt(from, "SET");
    return update == assigns && (update || where == from) ? where : -1;
  }

  private boolean hasOtherRows(int from) {
    for (int i = from; i < tokens.size(); i++) {
      boolean second = tokens.get(i).is("FROM") && tokens.getFirst().is("UPDATE");
      if (second || isAnyOf(tokens.get(i), OTHER_ROWS)) {
        return true;
      }
    }
    return false;
  }

  private boolean setsKey(int from, int to) {
    for (int i = from; i < to; i++) {
      if (tokens.get(i).isSymbol("=") && !isOtherColumn(i - 1)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is by name a column that is not of the key: a server has more names than these. */
  private boolean isOtherColumn(int i) {
    return tokens.get(i).isName()
        && table.column(tokens.get(i).name()).isPresent()
        && !table.key().contains(tokens.get(i).name());
  }

  /** Reads a comparison of a column with a value; returns the index after it, or negative. */
  private int term(int from, Map<String, RowChoice.Part> found) {
    int column = from;
    while (column + 2 < tokens.size()
        && tokens.get(column).isName()
        && isSymbolAt(column + 1, ".")) {
      column += 2;
    }
    if (column >= tokens.size() || !tokens.get(column).isName()) {
      return -1;
    }
    String name = tokens.get(column).name();
    if (table.column(name).isEmpty()) {
      return -1;
    }
    int at = column + 1;
    if (isAt(at, "IS")) {
      at += isAt(at + 1, "NOT") ? 2 : 1;
      return isAt(at, "NULL") ? at + 1 : -1;
    }
    StringBuilder comparison = new StringBuilder();
    while (at < tokens.size() && tokens.get(at).kind() == SqlToken.Kind.SYMBOL) {
      comparison.append(tokens.get(at).text());
      at++;
    }
    if (!COMPARISONS.contains(comparison.toString()) || at >= tokens.size()) {
      return -1;
    }
    if (comparison.toString().equals("=") && table.key().contains(name)) {
      part(at, name).ifPresent(part -> found.putIfAbsent(name, part));
    }
    return switch (tokens.get(at).kind()) {
      case PARAMETER, NUMBER, STRING -> at + 1;
      case WORD, QUOTED_NAME, SYMBOL -> -1;
    };
  }

  private @Nullable RowChoice inserted(InsertShape insert) {
    boolean counted =
        table.columns().stream()
            .anyMatch(column ->
                column.sequence() != null && TableCounter.of(column.sequence()).isPresent());
    if (insert.rows().size() != 1 || counted || hasOtherRows(insert.rowsEnd(tokens))) {
      return null;
    }
    if (setsKey(insert.rowsEnd(tokens), tokens.size())) {
      return null;
    }
    List<Integer> values = singleValues(insert.rows().getFirst());
    if (values.size() != insert.columns().size()) {
      return null;
    }
    Map<String, RowChoice.Part> found = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      String name = insert.columns().get(i);
      if (table.key().contains(name) && values.get(i) >= 0) {
        part(values.get(i), name).ifPresent(part -> found.put(name, part));
      }
    }
    return choice(found);
  }

  /** For each value of a row its piece, or -1 if it has several. */
  private List<Integer> singleValues(int open) {
    List<Integer> values = new ArrayList<>();
    int close = CallScan.closing(tokens, open);
    int from = open + 1;
    int depth = 0;
    for (int i = from; i <= close; i++) {
      SqlToken token = tokens.get(i);
      if (i == close || (depth == 0 && token.isSymbol(","))) {
        values.add(i == from + 1 ? from : -1);
        from = i + 1;
      } else if (token.isSymbol("(") || token.isSymbol("[")) {
        depth++;
      } else if (token.isSymbol(")") || token.isSymbol("]")) {
        depth--;
      }
    }
    return values;
  }

  private Optional<RowChoice.Part> part(int at, String column) {
    SqlToken value = tokens.get(at);
    long greatest = table.column(column).flatMap(RowFinder::greatest).orElse(-1L);
    if (value.kind() == SqlToken.Kind.PARAMETER) {
      long before =
          tokens.subList(0, at).stream()
              .filter(token -> token.kind() == SqlToken.Kind.PARAMETER)
              .count();
      return Optional.of(new RowChoice.Part((int) before + 1, 0, greatest));
    }
    OptionalLong number =
        value.kind() == SqlToken.Kind.NUMBER
            ? RowChoice.keyOf(value.text(), greatest)
            : OptionalLong.empty();
    return number.isPresent()
        ? Optional.of(new RowChoice.Part(0, number.getAsLong(), greatest))
        : Optional.empty();
  }

  private @Nullable RowChoice choice(Map<String, RowChoice.Part> found) {
    List<RowChoice.Part> parts = new ArrayList<>();
    for (String column : table.key()) {
      RowChoice.Part part = found.get(column);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return new RowChoice(table.name(), parts);
  }

  private boolean isAt(int i, String keyword) {
    return i >= 0 && i < tokens.size() && tokens.get(i).is(keyword);
  }

  private boolean isSymbolAt(int i, String symbol) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
  }

  private static boolean isAnyOf(SqlToken token, List<String> words) {
    return words.stream().anyMatch(token::is);
  }
}
