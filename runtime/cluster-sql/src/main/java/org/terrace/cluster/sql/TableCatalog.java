package org.terrace.cluster.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The tables of a database. Immutable: after a change of the schema there is another. */
public final class TableCatalog {
  /** The schemas of PostgreSQL whose tables are none of these, though one may be called alike. */
  private static final Set<String> NOT_OF_USERS =
      Set.of("pg_catalog", "information_schema", "pg_temp", "pg_toast", "terrace");

  private static final String OTHER_NAME =
      "choose a name that nothing else in the database has, in any schema and whatever the capitals";

  private final Map<String, TableShape> tables = new HashMap<>();
  private final Map<String, Unfit> unwritable = new TreeMap<>();
  private final String database;
  private final OwnFunctions functions;
  private final Map<String, Unfit> unfit;
  private final Set<String> spellings;

  /**
   * The reason for which no statement is done on something that has a table's name.
   *
   * @param reason a clause, as a refusal has it
   * @param wayOut what to do instead
   */
  public record Unfit(String reason, String wayOut) {
    RefusedStatementException refusal() {
      return new RefusedStatementException(reason, wayOut);
    }
  }

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
    this(shapes, database, functions, Map.of(), Set.of());
  }

  /**
   * The same beside tables, and others, on which no statement is done.
   *
   * @param unfit the reasons, by names in lower case and without their schemas; of a table with
   *     such a name nothing is known
   * @param spellings the names of tables and views as they are written, where names that differ in
   *     capitals are those of two; empty: they are of one, or a definition can be undone
   */
  public TableCatalog(
      List<TableShape> shapes,
      String database,
      OwnFunctions functions,
      Map<String, Unfit> unfit,
      Set<String> spellings) {
    this.spellings = Set.copyOf(spellings);
    this.database = database;
    this.functions = functions;
    this.unfit = Map.copyOf(unfit);
    for (TableShape shape : shapes) {
      if (tables.put(shape.name(), shape) != null) {
        unwritable.put(shape.name(), new Unfit("two would be called so", OTHER_NAME));
      }
    }
    unfit.forEach((name, known) -> {
      if (tables.containsKey(name)) {
        unwritable.put(name, new Unfit(known.reason(), OTHER_NAME));
      }
    });
    unwritable.keySet().forEach(tables::remove);
    tables.forEach((name, table) -> table.unwritable().ifPresent(why -> unwritable.put(name, why)));
  }

  /**
   * Refuses a change of the tables by which one of those that it names can be written no more.
   *
   * @param before the tables before it
   * @param named all names in it, in lower case
   * @param hidden whether it also concerns tables that it does not name
   */
  void checkWritable(TableCatalog before, Set<String> named, boolean hidden)
      throws RefusedStatementException {
    for (Map.Entry<String, Unfit> each : unwritable.entrySet()) {
      String name = each.getKey();
      boolean concerned = named.contains(name) || (hidden && before.tables.containsKey(name));
      if (concerned && !before.unwritable.containsKey(name)) {
        throw new RefusedStatementException(
            "nothing could be written to the table %s afterwards, as %s"
                .formatted(name, each.getValue().reason()),
            each.getValue().wayOut());
      }
    }
  }

  /** The names of tables and views as they are written, where capitals tell them apart. */
  Set<String> spellings() {
    return spellings;
  }

  /** Whether a table that is written with this before its name is one of these. */
  boolean isQualifier(String name) {
    String schema = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return database.isEmpty() ? !NOT_OF_USERS.contains(schema) : database.equals(name);
  }

  OwnFunctions functions() {
    return functions;
  }

  /** Whether a table has a column of that name of which this holds. */
  boolean hasColumn(String name, Predicate<ColumnShape> what) {
    return tables.values().stream().flatMap(table -> table.column(name).stream()).anyMatch(what);
  }

  /** The refusal of what is known to be unfit under that name. */
  Optional<RefusedStatementException> refusal(String name) {
    return Optional.ofNullable(unfit.get(name)).map(Unfit::refusal);
  }

  /** The table of that name, to be written. */
  TableShape written(String name) throws RefusedStatementException {
    TableShape known = tables.get(name);
    if (known == null) {
      throw refusal(name)
          .orElseGet(() ->
              new RefusedStatementException(
                  "nothing is known of a single table '%s'".formatted(name),
                  "name a table, not a view, whose name is in one schema only"));
    }
    return known;
  }

  /** The table of that name, if there is exactly one. */
  Optional<TableShape> find(String name) {
    return Optional.ofNullable(tables.get(name));
  }
}
