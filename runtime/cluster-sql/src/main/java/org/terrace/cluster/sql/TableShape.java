package org.terrace.cluster.sql;

import java.util.List;
import java.util.Optional;

/**
 * A table, as far as it decides whether a write is the same everywhere, and what it conflicts with.
 *
 * @param name in lower case, without its schema
 * @param columns in the order in which a row without a list of them gives them
 * @param key the columns of the primary key; empty: there is none
 * @param hasTriggers whether writes to it, or to what they reach, run code of the server's
 * @param changesByItself whether an update fills a column with the moment
 * @param related the tables that it refers to and that refer to it by foreign keys
 * @param otherUnique whether rows are unique by other columns than the key's, too
 */
public record TableShape(
    String name,
    List<ColumnShape> columns,
    List<String> key,
    boolean hasTriggers,
    boolean changesByItself,
    List<String> related,
    boolean otherUnique) {

  /** Copies the lists. */
  public TableShape {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
    related = List.copyOf(related);
  }

  Optional<ColumnShape> column(String columnName) {
    return columns.stream().filter(column -> column.name().equals(columnName)).findFirst();
  }
}
