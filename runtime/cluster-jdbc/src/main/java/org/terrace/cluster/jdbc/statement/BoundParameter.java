package org.terrace.cluster.jdbc.statement;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The value of a parameter, kept so that it can be given to any number of replicas.
 *
 * @param sqlType the type of {@link java.sql.Types}, if one was told or the value is null
 * @param typed whether the type is handed on
 */
public record BoundParameter(@Nullable Object value, int sqlType, boolean typed) {

  /** An array of a named type, which each replica makes by itself. */
  public record Elements(String typeName, Object[] elements) {}

  public static BoundParameter of(Object value) {
    return new BoundParameter(value, 0, false);
  }

  public static BoundParameter typed(@Nullable Object value, int sqlType) {
    return new BoundParameter(value, sqlType, true);
  }

  public void apply(PreparedStatement statement, int place) throws SQLException {
    if (value == null) {
      statement.setNull(place, sqlType);
    } else if (value instanceof Elements array) {
      statement.setArray(
          place, statement.getConnection().createArrayOf(array.typeName(), array.elements()));
    } else if (typed) {
      statement.setObject(place, value, sqlType);
    } else {
      statement.setObject(place, value);
    }
  }
}
