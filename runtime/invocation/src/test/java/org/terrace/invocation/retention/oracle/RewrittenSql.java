package org.terrace.invocation.retention.oracle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose statements are changed on their way to the database, so that everything else is the
 * real thing. Thread-safe.
 */
final class RewrittenSql {
  private final Map<String, String> replacements;

  private RewrittenSql(Map<String, String> replacements) {
    this.replacements = replacements;
  }

  /**
   * The same pool, with each text of the map replaced by its value wherever it is in a statement.
   */
  static DataSource in(DataSource pool, Map<String, String> replacements) {
    return replacements.isEmpty()
        ? pool
        : new RewrittenSql(replacements).rewriting(DataSource.class, pool);
  }

  private <T> T rewriting(Class<T> type, T target) {
    return Objects.requireNonNull(
        type.cast(
            Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> {
                  if (arguments != null && arguments.length > 0) {
                    arguments[0] = rewritten(arguments[0]);
                  }
                  try {
                    return wrapped(method.getReturnType(), method.invoke(target, arguments));
                  } catch (InvocationTargetException e) {
                    throw Objects.requireNonNull(e.getCause());
                  }
                })));
  }

  private @Nullable Object wrapped(Class<?> type, @Nullable Object result) {
    if (result instanceof Connection connection && type == Connection.class) {
      return rewriting(Connection.class, connection);
    }
    return result instanceof Statement statement && type == Statement.class
        ? rewriting(Statement.class, statement)
        : result;
  }

  private Object rewritten(Object argument) {
    if (!(argument instanceof String sql)) {
      return argument;
    }
    String result = sql;
    for (Map.Entry<String, String> each : replacements.entrySet()) {
      result = result.replace(each.getKey(), each.getValue());
    }
    return result;
  }
}
