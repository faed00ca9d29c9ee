package org.terrace.invocation.retention;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool in which one kind of call does its work and then throws what is no {@link
 * java.sql.SQLException}, as a wrapper with a bug does. Thread-safe.
 */
final class ThrowingAfter {
  private final String ofStatement;
  private final BiPredicate<Object, Method> fault;

  private ThrowingAfter(String ofStatement, BiPredicate<Object, Method> fault) {
    this.ofStatement = ofStatement;
    this.fault = fault;
  }

  /** The same pool, whose statements with this text throw once they have been executed. */
  static DataSource statement(DataSource pool, String text) {
    return new ThrowingAfter(
            text,
            (target, method) ->
                target instanceof PreparedStatement && method.getName().equals("execute"))
        .wrapped(DataSource.class, pool);
  }

  /** The same pool, whose connections throw when they have been given back, once that is so. */
  static DataSource close(DataSource pool, BooleanSupplier now) {
    return new ThrowingAfter(
            "",
            (target, method) ->
                target instanceof Connection
                    && method.getName().equals("close")
                    && now.getAsBoolean())
        .wrapped(DataSource.class, pool);
  }

  private <T> T wrapped(Class<T> type, T target) {
    return Objects.requireNonNull(
        type.cast(
            Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> invoked(target, method, arguments))));
  }

  private @Nullable Object invoked(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
    if (fault.test(target, method)) {
      throw new IllegalStateException("a bug of a wrapper, after " + method.getName());
    }
    if (result instanceof Connection connection && target instanceof DataSource) {
      return wrapped(Connection.class, connection);
    }
    return result instanceof PreparedStatement statement
            && arguments != null
            && arguments[0] instanceof String sql
            && sql.contains(ofStatement)
        ? wrapped(PreparedStatement.class, statement)
        : result;
  }
}
