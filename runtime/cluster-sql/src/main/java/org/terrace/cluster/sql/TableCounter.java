package org.terrace.cluster.sql;

import java.util.Optional;

/**
 * The counter of a table's AUTO_INCREMENT column, which stands where else a sequence does.
 *
 * @param table the table, as its server writes it
 */
public record TableCounter(String table) {
  /** No sequence's name begins with it. */
  private static final String MARK = "AUTO_INCREMENT of ";

  /** The counter that a text names; empty: it names a sequence. */
  public static Optional<TableCounter> of(String sequence) {
    return sequence.startsWith(MARK)
        ? Optional.of(new TableCounter(sequence.substring(MARK.length())))
        : Optional.empty();
  }

  /** The text that names it. */
  public String text() {
    return MARK + table;
  }
}
