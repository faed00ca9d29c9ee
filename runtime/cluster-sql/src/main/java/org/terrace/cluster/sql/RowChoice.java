package org.terrace.cluster.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The primary key by which a statement tells the only row that it touches, in the key's order.
 *
 * @param parts for each column of the key, its value
 */
public record RowChoice(String table, List<Part> parts) {

  /**
   * The value of one column of a key.
   *
   * @param place the number of the parameter that holds it, from 1, in the rewritten statement; 0:
   *     it stands in the statement
   * @param text the value as it stands in the statement
   */
  public record Part(int place, @Nullable String text) {}

  /** Copies the list. */
  public RowChoice {
    parts = List.copyOf(parts);
  }
}
