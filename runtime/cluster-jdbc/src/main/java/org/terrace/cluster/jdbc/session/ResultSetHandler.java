package org.terrace.cluster.jdbc.session;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a real statement, which name the cluster's statement as theirs. All else goes to the
 * real rows as it is.
 */
final class ResultSetHandler implements InvocationHandler {
  private final ResultSet rows;
  private final @Nullable Statement owner;
  private final Runnable onClose;

  private ResultSetHandler(ResultSet rows, @Nullable Statement owner, Runnable onClose) {
    this.rows = rows;
    this.owner = owner;
    this.onClose = onClose;
  }

  static ResultSet of(ResultSet rows, @Nullable Statement owner, Runnable onClose) {
    return (ResultSet)
        Proxy.newProxyInstance(
            ResultSetHandler.class.getClassLoader(),
            new Class<?>[] {ResultSet.class},
            new ResultSetHandler(rows, owner, onClose));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "getStatement" -> owner;
      case "close" -> {
        rows.close();
        onClose.run();
        yield null;
      }
      case "equals" -> isSame(proxy, arguments);
      case "hashCode" -> System.identityHashCode(proxy);
      default -> call(rows, method, arguments);
    };
  }

  /** Whether a proxy is asked whether it equals itself. */
  @SuppressWarnings("ReferenceEquality")
  static boolean isSame(Object proxy, Object @Nullable [] arguments) {
    return arguments != null && proxy == arguments[0];
  }

  static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? new SQLException(e) : cause;
    }
  }
}
