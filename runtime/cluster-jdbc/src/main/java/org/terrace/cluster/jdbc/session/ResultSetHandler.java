package org.terrace.cluster.jdbc.session;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.server.dialect.RunningStatements;

/**
 * The rows of a real statement, which name the cluster's statement as theirs. All else goes to the
 * real rows as it is.
 */
final class ResultSetHandler implements InvocationHandler {
  private final ResultSet rows;
  private final @Nullable Statement owner;
  private final RunningStatements running;
  private final Runnable onClose;

  private ResultSetHandler(
      ResultSet rows, @Nullable Statement owner, RunningStatements running, Runnable onClose) {
    this.rows = rows;
    this.owner = owner;
    this.running = running;
    this.onClose = onClose;
  }

  /** The rows of a statement, which is counted among those that run while it fetches one. */
  static ResultSet of(
      ResultSet rows, @Nullable Statement owner, RunningStatements running, Runnable onClose) {
    return (ResultSet)
        Proxy.newProxyInstance(
            ResultSetHandler.class.getClassLoader(),
            new Class<?>[] {ResultSet.class},
            new ResultSetHandler(rows, owner, running, onClose));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return answer(proxy, method, arguments);
    } catch (SQLException e) {
      running.readingFailed(rows);
      throw e;
    }
  }

  private @Nullable Object answer(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "getStatement" -> owner;
      case "close" -> {
        rows.close();
        onClose.run();
        yield null;
      }
      case "next" -> running.next(rows);
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
