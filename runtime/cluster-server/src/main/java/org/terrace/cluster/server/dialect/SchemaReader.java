package org.terrace.cluster.server.dialect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.ColumnShape;
import org.terrace.cluster.sql.OwnFunctions;
import org.terrace.cluster.sql.TableCatalog;
import org.terrace.cluster.sql.TableShape;
import org.terrace.cluster.sql.TableShape.Effects;

/** The building of a catalogue from the rows of a server's own catalogue. */
final class SchemaReader {
  private final ColumnShape.DefaultReader defaults;
  private final Map<String, List<ColumnShape>> columns = new LinkedHashMap<>();
  private final Map<String, List<String>> keys = new TreeMap<>();
  private final Map<String, Set<String>> related = new TreeMap<>();
  private final Map<String, Effects> effects = new TreeMap<>();
  private final Map<String, Set<String>> reached = new TreeMap<>();
  private final Set<String> changing = new TreeSet<>();
  private final Set<String> otherwiseUnique = new TreeSet<>();
  private final Map<String, TableCatalog.Unfit> unfit = new TreeMap<>();
  private final Set<String> functions = new TreeSet<>();
  private final Set<String> functionsOfRows = new TreeSet<>();
  private final Set<String> functionsOfSets = new TreeSet<>();
  private final Set<String> spellings = new TreeSet<>();
  private final List<String> lines = new ArrayList<>();

  SchemaReader(ColumnShape.DefaultReader defaults) {
    this.defaults = defaults;
  }

  /** Notes a line that must be equal everywhere. */
  void line(String kind, List<@Nullable String> row) {
    lines.add(kind + " " + String.join(" ", row.stream().map(String::valueOf).toList()));
  }

  /** A table is named here by its schema and name, so that equal names do not mix. */
  void column(
      String table,
      String name,
      String type,
      @Nullable String defaultText,
      Optional<String> sequence) {
    columns
        .computeIfAbsent(table, key -> new ArrayList<>())
        .add(ColumnShape.of(name.toLowerCase(Locale.ROOT), type, defaultText, sequence, defaults));
  }

  /** A column that the server calculates when it is read. */
  void calculated(String table, String name, String type, String calculation) {
    columns
        .computeIfAbsent(table, key -> new ArrayList<>())
        .add(ColumnShape.calculated(name.toLowerCase(Locale.ROOT), type, calculation, defaults));
  }

  /** A function of the users' whose result depends on more than its arguments. */
  void function(String name, boolean ofRow) {
    functions.add(name.toLowerCase(Locale.ROOT));
    if (ofRow) {
      functionsOfRows.add(name.toLowerCase(Locale.ROOT));
    }
  }

  /** A function, also of the system, that makes several rows of one. */
  void functionOfSets(String name) {
    functionsOfSets.add(name.toLowerCase(Locale.ROOT));
  }

  /** A table or view of which others differ that are called alike but for capitals. */
  void spelled(String name) {
    spellings.add(name);
  }

  /** The column that came last gets its numbers from the server unless a statement insists. */
  void alwaysNumbered(String table) {
    List<ColumnShape> shapes = columns.get(table);
    if (shapes != null) {
      shapes.add(shapes.removeLast().alwaysNumbered());
    }
  }

  /** The column that came last gets the moment of the server's clock for a NULL. */
  void datedForNull(String table) {
    List<ColumnShape> shapes = columns.get(table);
    if (shapes != null) {
      shapes.add(shapes.removeLast().datedForNull());
    }
  }

  void keyColumn(String table, String column) {
    keys.computeIfAbsent(table, key -> new ArrayList<>()).add(column.toLowerCase(Locale.ROOT));
  }

  void refers(String table, String other) {
    related.computeIfAbsent(table, key -> new TreeSet<>()).add(bare(other));
    related.computeIfAbsent(other, key -> new TreeSet<>()).add(bare(table));
  }

  void hasTrigger(String table) {
    effects.put(table, Effects.TRIGGERS);
  }

  /** A change of its rows has the server fill others with their defaults. */
  void setsDefaults(String table) {
    effects.putIfAbsent(table, Effects.DEFAULTS);
  }

  /** A change of the one table's rows makes the server change the other's. */
  void reaches(String table, String other) {
    reached.computeIfAbsent(table, key -> new TreeSet<>()).add(other);
  }

  void changesByItself(String table) {
    changing.add(table);
  }

  /** Nothing is done on what has that name, whatever else has it in another schema. */
  void isUnfit(String table, String reason, String wayOut) {
    String name = bare(table);
    unfit.put(name, new TableCatalog.Unfit(reason.formatted(name), wayOut.replace("NAME", name)));
  }

  void isOtherwiseUnique(String table) {
    otherwiseUnique.add(table);
  }

  /**
   * All that was noted.
   *
   * @param database the name of the database, where a server has others beside it; else empty
   */
  SchemaSnapshot snapshot(String version, String database) {
    while (spreadEffects()) {
      // Each round goes one table farther.
    }
    columns.forEach((table, shapes) -> {
      if (shapes.stream().map(ColumnShape::name).distinct().count() < shapes.size()) {
        isUnfit(
            table,
            "two columns of %s are called alike but for capitals",
            "give one of them another name with ALTER TABLE NAME RENAME COLUMN");
      }
    });
    List<TableShape> tables = new ArrayList<>();
    columns.forEach((table, shapes) ->
        tables.add(
            new TableShape(
                bare(table),
                shapes,
                keys.getOrDefault(table, List.of()),
                effects.getOrDefault(table, Effects.NONE),
                changing.contains(table),
                List.copyOf(related.getOrDefault(table, Set.of())),
                otherwiseUnique.contains(table))));
    lines.sort(null);
    OwnFunctions own = new OwnFunctions(functions, functionsOfRows, functionsOfSets);
    return new SchemaSnapshot(
        version, lines, new TableCatalog(tables, database, own, unfit, spellings));
  }

  /** Marks the tables from which the server reaches one with effects; tells whether any is new. */
  private boolean spreadEffects() {
    Map<String, Effects> before = new TreeMap<>(effects);
    reached.forEach((table, others) ->
        others.stream()
            .filter(before::containsKey)
            .findFirst()
            .ifPresent(other -> effects.putIfAbsent(table, before.get(other))));
    return effects.size() > before.size();
  }

  private static String bare(String table) {
    return table.substring(table.indexOf('.') + 1).toLowerCase(Locale.ROOT);
  }
}
