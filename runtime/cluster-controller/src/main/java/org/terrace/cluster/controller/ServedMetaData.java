package org.terrace.cluster.controller;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The metadata of a database for applications: the methods of JDBC's interface, by their names, and
 * nothing else. Stateless.
 */
final class ServedMetaData {
  private static final int ARGUMENTS_MAX = 10;

  private ServedMetaData() {}

  static @Nullable Object[] arguments(Decoder request) {
    @Nullable Object[] arguments = new Object[request.getCount(ARGUMENTS_MAX)];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = ControllerValues.read(request);
    }
    return arguments;
  }

  /** The answer to a question about the database. */
  static @Nullable Object ask(DatabaseMetaData metaData, Decoder request) throws SQLException {
    String name = request.getString();
    @Nullable Object[] given = arguments(request);
    for (Method method : DatabaseMetaData.class.getDeclaredMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == given.length) {
        return ask(metaData, method, given);
      }
    }
    throw new MalformedDataException("the unknown question " + name);
  }

  private static @Nullable Object ask(
      DatabaseMetaData metaData, Method method, @Nullable Object[] given) throws SQLException {
    @Nullable Object[] arguments = new Object[given.length];
    for (int i = 0; i < given.length; i++) {
      arguments[i] = as(method.getParameterTypes()[i], given[i]);
    }
    try {
      return method.invoke(metaData, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException failure
          ? failure
          : new SQLException("The metadata cannot be told.", "58000", e);
    } catch (IllegalAccessException | IllegalArgumentException e) {
      throw new MalformedDataException("arguments that " + method.getName() + " does not have");
    }
  }

  private static @Nullable Object as(Class<?> type, @Nullable Object value) {
    if (value instanceof Object[] many) {
      try {
        if (type == String[].class) {
          return Arrays.copyOf(many, many.length, String[].class);
        }
        if (type == int[].class) {
          return Arrays.stream(many).mapToInt(Integer.class::cast).toArray();
        }
      } catch (ArrayStoreException | ClassCastException e) {
        throw new MalformedDataException("an array of something else");
      }
    }
    return value;
  }
}
