package org.terrace.cluster.controller;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/** A statement of a session at a controller, prepared or not. Confined to one thread. */
final class ControllerStatement {
  private static final Set<String> VALUES =
      Set.of(
          "setObject",
          "setString",
          "setInt",
          "setLong",
          "setShort",
          "setBoolean",
          "setFloat",
          "setDouble",
          "setBigDecimal",
          "setBytes",
          "setDate",
          "setTimestamp");
  private static final int PARAMETERS_MAX = 65_535;

  private final ControllerLink link;
  private final Connection connection;
  private final String prepared;
  private final List<@Nullable Object> parameters = new ArrayList<>();
  private boolean closed;

  ControllerStatement(ControllerLink link, Connection connection, String prepared) {
    this.link = link;
    this.connection = connection;
    this.prepared = prepared;
  }

  @Nullable Object call(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    String name = method.getName();
    if (VALUES.contains(name) && arguments.length == 2) {
      return set(arguments, arguments[1]);
    }
    return switch (name) {
      case "setNull" -> set(arguments, null);
      case "clearParameters" -> {
        parameters.clear();
        yield null;
      }
      case "executeQuery" -> query(arguments);
      case "executeUpdate" -> Math.toIntExact(update(arguments));
      case "executeLargeUpdate" -> update(arguments);
      case "close" -> {
        closed = true;
        yield null;
      }
      case "isClosed" -> closed;
      case "getConnection" -> connection;
      case "getMoreResults" -> false;
      case "getUpdateCount" -> -1;
      case "getResultSet", "getWarnings", "clearWarnings" -> null;
      case "setFetchSize", "setEscapeProcessing", "setPoolable" -> null;
      case "getFetchSize", "getMaxRows", "getQueryTimeout" -> 0;
      default -> throw Handlers.unsupported(method);
    };
  }

  private @Nullable Object set(@Nullable Object[] arguments, @Nullable Object value)
      throws SQLException {
    int index = (Integer) Handlers.given(arguments, 0);
    if (index < 1 || index > PARAMETERS_MAX) {
      throw new SQLException("There is no parameter " + index + ".", "22023");
    }
    if (!ControllerValues.isWritable(value)) {
      throw new SQLException(
          "A parameter of the type %s cannot be sent through a controller: give it as a text or a number."
              .formatted(value == null ? "null" : value.getClass().getName()),
          "0A000");
    }
    while (parameters.size() < index) {
      parameters.add(null);
    }
    parameters.set(index - 1, value);
    return null;
  }

  private ResultSet query(@Nullable Object[] arguments) throws SQLException {
    return ControllerRows.of(send(ControllerFrame.QUERY, arguments));
  }

  private long update(@Nullable Object[] arguments) throws SQLException {
    Decoder answer = send(ControllerFrame.UPDATE, arguments);
    try {
      return answer.getSigned();
    } catch (MalformedDataException e) {
      throw ControllerFrame.unreadable(e);
    }
  }

  private Decoder send(int kind, @Nullable Object[] arguments) throws SQLException {
    if (closed) {
      throw new SQLException("The statement is closed.", "HY010");
    }
    Encoder request = new Encoder();
    request.putByte(kind);
    request.putString(arguments.length == 0 ? prepared : (String) Handlers.given(arguments, 0));
    request.putUnsigned(parameters.size());
    parameters.forEach(value -> ControllerValues.write(request, value));
    if (request.length() > ControllerFrame.BYTES_MAX) {
      throw new SQLException(
          "A statement with its values has more than %d bytes."
              .formatted(ControllerFrame.BYTES_MAX),
          "54000");
    }
    return link.call(request);
  }
}
