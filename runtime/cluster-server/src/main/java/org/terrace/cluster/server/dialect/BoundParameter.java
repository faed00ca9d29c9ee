package org.terrace.cluster.server.dialect;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The value of a parameter, kept so that it can be given to any number of replicas.
 *
 * @param sqlType the type of {@link java.sql.Types}, if one was told or the value is null
 * @param typed whether the type is handed on
 */
public record BoundParameter(@Nullable Object value, int sqlType, boolean typed) {

  private static final Set<Integer> TEXTS =
      Set.of(
          Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR);

  /** An array of a named type, which each replica makes by itself. */
  public record Elements(String typeName, Object[] elements) {}

  public static BoundParameter of(Object value) {
    return new BoundParameter(value, 0, false);
  }

  public static BoundParameter typed(@Nullable Object value, int sqlType) {
    return new BoundParameter(value, sqlType, true);
  }

  /** The texts in it, as a server reads them: those of an array, too. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    collect(value, texts);
    return texts;
  }

  private static void collect(@Nullable Object part, List<String> texts) {
    switch (part) {
      case null -> {}
      case Elements array -> collect(array.elements(), texts);
      case Object[] parts -> {
        for (Object one : parts) {
          collect(one, texts);
        }
      }
      case Number _, Boolean _, byte[] _ -> {}
      default -> texts.add(part.toString());
    }
  }

  /** Whether a server is told that it is a text. */
  public boolean isText() {
    return switch (value) {
      case Elements array -> array.typeName().matches("(?i)text|varchar|bpchar|name");
      case String _ -> !typed || TEXTS.contains(sqlType);
      case null, default -> false;
    };
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
