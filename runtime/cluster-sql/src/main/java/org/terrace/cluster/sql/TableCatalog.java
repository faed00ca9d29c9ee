package org.terrace.cluster.sql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tables of a database. Immutable: after a change of the schema there is another. */
public final class TableCatalog {
  private final Map<String, TableShape> tables = new HashMap<>();
  private final Set<String> ambiguous = new HashSet<>();

  /** A catalogue of these tables; of those that share a name nothing is known. */
  public TableCatalog(List<TableShape> shapes) {
    for (TableShape shape : shapes) {
      if (tables.put(shape.name(), shape) != null) {
        ambiguous.add(shape.name());
      }
    }
    ambiguous.forEach(tables::remove);
  }

  /** The table of that name, if there is exactly one. */
  Optional<TableShape> find(String name) {
    return Optional.ofNullable(tables.get(name));
  }
}
