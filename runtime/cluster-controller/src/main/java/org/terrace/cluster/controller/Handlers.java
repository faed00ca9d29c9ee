package org.terrace.cluster.controller;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.jspecify.annotations.Nullable;

/** The things that the objects of the driver have in common. Stateless. */
final class Handlers {
  private Handlers() {}

  /** The object of a method call: the answer of one of JDBC's methods. */
  @FunctionalInterface
  interface Handler {
    /**
     * Answers a call.
     *
     * @param arguments what was given, without nothing
     */
    @Nullable Object call(Object self, Method method, @Nullable Object[] arguments)
        throws SQLException;
  }

  /** An object of one of JDBC's interfaces. */
  static <T> T make(Class<T> type, Handler handler) {
    return make(type, handler, "Terrace " + type.getSimpleName());
  }

  /** An object of one of JDBC's interfaces, which is shown as a text. */
  static <T> T make(Class<T> type, Handler handler, String text) {
    return type.cast(
        Proxy.newProxyInstance(
            Handlers.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, given) -> {
              @Nullable Object[] arguments = given == null ? new Object[0] : given;
              return switch (method.getName()) {
                case "equals" -> isSame(self, arguments[0]);
                case "hashCode" -> System.identityHashCode(self);
                case "toString" -> text;
                case "isWrapperFor" -> ((Class<?>) given(arguments, 0)).isInstance(self);
                case "unwrap" -> unwrap((Class<?>) given(arguments, 0), self);
                default -> handler.call(self, method, arguments);
              };
            }));
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Object self, @Nullable Object other) {
    return self == other;
  }

  private static Object unwrap(Class<?> type, Object self) throws SQLException {
    if (type.isInstance(self)) {
      return self;
    }
    throw unsupported(
        "unwrap to " + type.getName(),
        "no real connection is at hand, such as for a COPY: write rows as a batch.");
  }

  static Object given(@Nullable Object[] arguments, int index) throws SQLException {
    Object value = index < arguments.length ? arguments[index] : null;
    if (value == null) {
      throw new SQLException("A value is missing.", "22023");
    }
    return value;
  }

  static SQLException unsupported(Method method) {
    return unsupported(method.getName(), "the cluster has nothing of the kind.");
  }

  /**
   * A refusal with its reason.
   *
   * @param reason a sentence
   */
  static SQLException unsupported(String what, String reason) {
    return new SQLFeatureNotSupportedException(
        what + " is not supported through a controller: " + reason, "0A000");
  }

  static SQLException closed(String what) {
    return new SQLException("The " + what + " is closed.", "08003");
  }
}
