package org.terrace.cluster.sql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The tables of a database. Immutable: after a change of the schema there is another. */
public final class TableCatalog {
  private final Map<String, TableShape> tables = new HashMap<>();
  private final Set<String> ambiguous = new HashSet<>();
  private final String database;
  private final OwnFunctions functions;

  /** A catalogue of these tables; of those that share a name nothing is known. */
  public TableCatalog(List<TableShape> shapes) {
    this(shapes, "", OwnFunctions.NONE);
  }

  /**
   * A catalogue of the tables of one of several databases.
   *
   * @param database the name that may stand before those of its tables; empty: any may, as all of
   *     one server's schemas are here
   * @param functions the functions beside them
   */
  public TableCatalog(List<TableShape> shapes, String database, OwnFunctions functions) {
    this.database = database;
    this.functions = functions;
    for (TableShape shape : shapes) {
      if (tables.put(shape.name(), shape) != null) {
        ambiguous.add(shape.name());
      }
    }
    ambiguous.forEach(tables::remove);
  }

  /** Whether a table that is written with this before its name is one of these. */
  boolean isQualifier(String name) {
    return database.isEmpty() || database.equals(name);
  }

  OwnFunctions functions() {
    return functions;
  }

  /** Whether a table has a column of that name of which this holds. */
  boolean hasColumn(String name, Predicate<ColumnShape> what) {
    return tables.values().stream().flatMap(table -> table.column(name).stream()).anyMatch(what);
  }

  /** The table of that name, if there is exactly one. */
  Optional<TableShape> find(String name) {
    return Optional.ofNullable(tables.get(name));
  }
}
