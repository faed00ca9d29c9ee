package org.terrace.seven;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Invocation;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.DatabaseException;

/**
 * Calls of a service's rules as a replica runs them, in a transaction of their own on one
 * connection: a refusal rolls back, and what the database gives up for another's sake runs again.
 */
public final class DirectCalls implements AutoCloseable {
  private static final int TRIES_MAX = 50;

  private final long client;
  private final Connection connection;
  private long sequence;
  private int retries;

  public DirectCalls(long client, Connection connection) throws SQLException {
    this.client = client;
    this.connection = connection;
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
  }

  /** The service, whose methods run in the caller's thread. */
  public <S> S service(Application<S> application, TimeSource time) {
    S rules = application.rules(time);
    Class<S> type = application.service();
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(rules, method, arguments)));
  }

  /** The number of times that a call had to run again. */
  public int retries() {
    return retries;
  }

  private Object call(Object rules, Method method, Object[] arguments) throws Throwable {
    method.setAccessible(true);
    RequestIdentity identity = new RequestIdentity(client, ++sequence);
    for (int attempt = 1; ; attempt++) {
      try {
        Object reply =
            new Invocation(identity, method.getName(), connection)
                .run(() -> method.invoke(rules, arguments));
        connection.commit();
        return reply;
      } catch (InvocationTargetException e) {
        connection.rollback();
        if (e.getCause() instanceof BusinessException refusal) {
          throw refusal;
        }
        if (!isWorthAnother(e.getCause()) || attempt == TRIES_MAX) {
          throw e.getCause();
        }
        retries++;
      }
    }
  }

  private static boolean isWorthAnother(Throwable failure) {
    return failure instanceof DatabaseException
        && failure.getCause() instanceof SQLException sql
        && (sql.getSQLState().equals("40P01") || sql.getSQLState().equals("40001"));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
