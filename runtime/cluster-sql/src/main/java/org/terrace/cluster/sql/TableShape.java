package org.terrace.cluster.sql;

import java.util.List;
import java.util.Optional;
import org.terrace.cluster.sql.TableCatalog.Unfit;

/**
 * A table, as far as it decides whether a write is the same everywhere, and what it conflicts with.
 *
 * @param name in lower case, without its schema
 * @param columns in the order in which a row without a list of them gives them
 * @param key the columns of the primary key; empty: there is none
 * @param effects what a server does besides, when rows of it are written or of what that reaches
 * @param changesByItself whether an update fills a column with the moment
 * @param related the tables that it refers to and that refer to it by foreign keys
 * @param otherUnique whether rows are unique by other columns than the key's, too
 */
public record TableShape(
    String name,
    List<ColumnShape> columns,
    List<String> key,
    Effects effects,
    boolean changesByItself,
    List<String> related,
    boolean otherUnique) {

  /** The things that a server does besides what a statement writes. */
  public enum Effects {
    /** The effects of a table that has none, or the same everywhere. */
    NONE("", ""),
    /** Code of triggers or rules. */
    TRIGGERS(
        "the table %s has triggers, whose effects are not known",
        "do in the application what the triggers do, and drop them"),
    /** Defaults for columns that refer to rows which are gone. */
    DEFAULTS(
        "a foreign key ON DELETE or ON UPDATE SET DEFAULT has each server fill rows behind the table %s",
        "take CASCADE or SET NULL for the foreign key, or set the value in the application");

    private final String reason;
    private final String wayOut;

    Effects(String reason, String wayOut) {
      this.reason = reason;
      this.wayOut = wayOut;
    }
  }

  /** Copies the lists. */
  public TableShape {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
    related = List.copyOf(related);
  }

  /** The reason for which nothing is written to it, whatever the statement; empty: none. */
  Optional<Unfit> unwritable() {
    return effects == Effects.NONE
        ? columns.stream().flatMap(column -> InvolvedColumns.numbered(column).stream()).findFirst()
        : Optional.of(new Unfit(effects.reason.formatted(name), effects.wayOut));
  }

  Optional<ColumnShape> column(String columnName) {
    return columns.stream().filter(column -> column.name().equals(columnName)).findFirst();
  }
}
