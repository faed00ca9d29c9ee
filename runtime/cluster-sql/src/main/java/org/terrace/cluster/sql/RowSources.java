package org.terrace.cluster.sql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import org.jspecify.annotations.Nullable;

/**
 * The sources of a query's or a change's rows, by the names that its columns are called with. A
 * source is a known table, or something else of which nothing is known. Confined to one thread.
 */
final class RowSources {
  private final TableCatalog catalog;
  private final Set<String> queries;
  private final Map<String, Optional<TableShape>> sources = new LinkedHashMap<>();

  /**
   * No sources.
   *
   * @param queries the names that may stand for queries rather than tables, in lower case
   */
  RowSources(TableCatalog catalog, Set<String> queries) {
    this.catalog = catalog;
    this.queries = queries;
  }

  /** Adds one; null: there is none. */
  void add(@Nullable FromItem item) {
    if (item != null) {
      String bare = item instanceof Table table ? lower(table.getUnquotedName()) : "";
      boolean named = !bare.isEmpty() && !queries.contains(bare);
      Alias alias = item.getAlias();
      String unnamed = bare.isEmpty() ? " " + sources.size() : bare;
      sources.put(
          alias == null ? unnamed : unquoted(alias.getName()),
          named ? catalog.find(bare) : Optional.empty());
    }
  }

  /** Adds those of joins; null: there are none. */
  void add(@Nullable List<Join> joins) {
    if (joins != null) {
      joins.forEach(join -> add(join.getFromItem()));
    }
  }

  /** The names, in their order. */
  Set<String> names() {
    return sources.keySet();
  }

  boolean has(String name) {
    return sources.containsKey(name);
  }

  /** The table of a name, if it is a known one's. */
  Optional<TableShape> table(String name) {
    return sources.getOrDefault(name, Optional.empty());
  }

  /** Whether a table among them has a column of that name. */
  boolean hasColumn(String name) {
    return sources.values().stream()
        .flatMap(Optional::stream)
        .anyMatch(table -> table.column(name).isPresent());
  }

  boolean areAllTables() {
    return sources.values().stream().allMatch(Optional::isPresent);
  }

  /** The only source's table, if there is one and it is known. */
  Optional<TableShape> onlyTable() {
    return sources.size() == 1 ? sources.values().iterator().next() : Optional.empty();
  }

  /**
   * The name of a column's source; empty: it cannot be told. One that is called without a source is
   * told if all are tables.
   */
  Optional<String> sourceOf(Column column) {
    String qualifier = qualifier(column);
    if (!qualifier.isEmpty()) {
      return Optional.of(qualifier).filter(this::has);
    }
    if (!areAllTables()) {
      return Optional.empty();
    }
    List<String> having =
        sources.keySet().stream()
            .filter(name -> table(name).flatMap(shape -> shape.column(nameOf(column))).isPresent())
            .toList();
    return having.size() == 1 ? Optional.of(having.getFirst()) : Optional.empty();
  }

  /** The name before a column's; empty: there is none. */
  static String qualifier(Column column) {
    Table table = column.getTable();
    return table == null || table.getName() == null ? "" : lower(table.getUnquotedName());
  }

  static String nameOf(Column column) {
    return unquoted(column.getColumnName());
  }

  /** A name in lower case and without quotes. */
  static String unquoted(String name) {
    return lower(name.strip().replace("\"", "").replace("`", ""));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
