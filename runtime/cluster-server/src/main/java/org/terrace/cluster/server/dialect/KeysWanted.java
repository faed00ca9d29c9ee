package org.terrace.cluster.server.dialect;

import java.sql.Statement;
import java.util.List;

/**
 * The generated keys that a statement's client will ask for.
 *
 * @param any whether any are wanted
 * @param columns the names of the columns; empty: the driver chooses
 */
public record KeysWanted(boolean any, List<String> columns) {
  public static final KeysWanted NONE = new KeysWanted(false, List.of());
  public static final KeysWanted ALL = new KeysWanted(true, List.of());

  public KeysWanted {
    columns = List.copyOf(columns);
  }

  /** The wish that a constant of {@link Statement} stands for. */
  public static KeysWanted flagged(int generatedKeys) {
    return generatedKeys == Statement.RETURN_GENERATED_KEYS ? ALL : NONE;
  }

  public static KeysWanted named(String[] columns) {
    return new KeysWanted(true, List.of(columns));
  }
}
