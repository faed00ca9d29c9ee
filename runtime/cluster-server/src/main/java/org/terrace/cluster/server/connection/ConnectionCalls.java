package org.terrace.cluster.server.connection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls on a real connection, on one of its statements or on the pages of a result. Those that
 * may wait for the server are counted.
 */
final class ConnectionCalls implements InvocationHandler {
  private static final String EXECUTIONS = "execute";

  /** The calls beside executions that may wait for the server. */
  private static final Set<String> WAITING =
      Set.of(
          "absolute",
          "afterLast",
          "beforeFirst",
          "close",
          "commit",
          "createArrayOf",
          "first",
          "getCatalog",
          "getMetaData",
          "getMoreResults",
          "getParameterMetaData",
          "getSchema",
          "getTransactionIsolation",
          "isAfterLast",
          "isBeforeFirst",
          "isFirst",
          "isLast",
          "isValid",
          "last",
          "next",
          "prepareStatement",
          "previous",
          "relative",
          "releaseSavepoint",
          "rollback",
          "setAutoCommit",
          "setReadOnly",
          "setSavepoint",
          "setSchema",
          "setTransactionIsolation");

  private final TrackedConnection connection;
  private final Object target;
  private final Runnable closed;

  /** The calls on a target; {@code closed} is run when that is closed. */
  ConnectionCalls(TrackedConnection connection, Object target, Runnable closed) {
    this.connection = connection;
    this.target = target;
    this.closed = closed;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    return switch (name) {
      case "equals" -> isSame(proxy, arguments);
      case "hashCode" -> System.identityHashCode(proxy);
      case "isWrapperFor", "unwrap" -> wrapped(proxy, method, arguments);
      case "abort" -> {
        closed.run();
        yield call(method, arguments);
      }
      case "close" -> {
        try {
          yield counted(method, arguments);
        } finally {
          closed.run();
        }
      }
      default ->
          name.startsWith(EXECUTIONS) || WAITING.contains(name)
              ? with(method, counted(method, arguments))
              : with(method, call(method, arguments));
    };
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Object proxy, Object @Nullable [] arguments) {
    return arguments != null && proxy == arguments[0];
  }

  private @Nullable Object wrapped(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    boolean asks = method.getName().equals("isWrapperFor");
    if (arguments != null && arguments[0] instanceof Class<?> wanted) {
      if (wanted == TrackedConnection.class) {
        return asks ? true : connection;
      }
      if (wanted.isInstance(proxy)) {
        return asks ? true : proxy;
      }
    }
    return call(method, arguments);
  }

  /** Lets the calls on a statement, or on a result that comes in pages, be counted as well. */
  private @Nullable Object with(Method method, @Nullable Object answer) throws SQLException {
    boolean made = answer instanceof Statement && target instanceof Connection;
    boolean inPages =
        answer instanceof ResultSet && target instanceof Statement of && of.getFetchSize() != 0;
    if (answer == null || !(made || inPages)) {
      return answer;
    }
    return Proxy.newProxyInstance(
        ConnectionCalls.class.getClassLoader(),
        new Class<?>[] {method.getReturnType()},
        new ConnectionCalls(connection, answer, () -> {}));
  }

  private @Nullable Object counted(Method method, Object @Nullable [] arguments) throws Throwable {
    return connection.<@Nullable Object, Exception>during(() -> call(method, arguments));
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Exception {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case Exception cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new SQLException(e);
      }
    }
  }
}
